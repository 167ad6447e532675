import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestSpecification,
} from 'vitest/node';

type State = ReturnType<TestModule['state']>;

/** Vitest's own reporter, which lists the tests of a file that is run alone: hundreds of verdicts. This one lists those that fail. */
export default class ScreenReporter extends DefaultReporter {
  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.renderSucceed = false;
  }

  protected override printTestCase(state: State, test: TestCase): void {
    if (test.result().state === 'failed') super.printTestCase(state, test);
  }
}
