// The tests as always, and which lines of src each file of them runs.
import config from '../../vitest.config.ts';

config.test.setupFiles.push('scripts/mutants/record-coverage.mjs');
export default config;
