import { sameChecks } from './same-check-cases.ts';

/** `SHOPCTL_TEST_VALUES=20 npx vitest run test/batch/same-checks.proof.test.ts` for a long run. */
sameChecks(Number(process.env.SHOPCTL_TEST_VALUES ?? 2));
