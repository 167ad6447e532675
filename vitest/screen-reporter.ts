import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestSpecification,
} from 'vitest/node';

type State = ReturnType<TestModule['state']>;

/** Vitest's own reporter lists every test of a file that is run alone, hundreds of them; this one only failures. */
export default class ScreenReporter extends DefaultReporter {
  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.renderSucceed = false;
  }

  protected override printTestCase(state: State, test: TestCase): void {
    if (test.result().state === 'failed') super.printTestCase(state, test);
  }
}
