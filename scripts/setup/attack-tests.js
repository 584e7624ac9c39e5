/**
 * The tests of attacks that also measure the elapsed time of ordinary requests, which other work on the machine would
 * lengthen. They are a suite of their own, which runs alone. All other attacks measure processor time and memory, and so
 * run beside other suites. A rule in `test/architecture/changed-suites.test.ts` holds the list.
 */
export const timedAttacks = [
  'test/faults/event-attacks.test.ts',
  'test/faults/password-attacks.test.ts',
  'test/faults/program-attacks.test.ts',
  'test/faults/request-attacks.test.ts',
  'test/faults/share-attacks.test.ts',
  'test/faults/work-attacks.test.ts',
]
