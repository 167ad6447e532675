import { environment } from '../helpers/config/environment.ts';
import { clauseOf } from '../schemas/clauses.ts';
import { clauseTests } from '../vitest/test-run.ts';
import { scenarios } from './index.ts';

// One test for each clause: -t, tags, reporters, --ui and watch mode then work as for any other test.
clauseTests(scenarios, environment, { tagsOf: (id) => [clauseOf(id).level] });
