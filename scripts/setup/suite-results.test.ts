import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSuiteResults } from './suite-results.js'

const folder = mkdtempSync(path.join(tmpdir(), 'stowage-results-'))
afterAll(() => rmSync(folder, { recursive: true }))

const report = path.join(folder, 'report.json')
const named = (name: string, status: string, message = ''): object => ({
  fullName: name,
  status,
  failureMessages: message === '' ? [] : [message],
})

/** Writes a report with one file in the format of Vitest. */
function write(file: { status: string; message?: string; assertionResults: readonly object[] }): void {
  writeFileSync(report, JSON.stringify({ testResults: [{ name: path.resolve('src/a.test.ts'), ...file }] }))
}

test('passed and skipped tests are counted', () => {
  write({ status: 'passed', assertionResults: [named('one', 'passed'), named('two', 'skipped')] })
  expect(readSuiteResults(report, 0)).toEqual({
    passed: 1,
    failed: 0,
    skipped: 1,
    failures: [],
    repeated: [],
  })
})

test('a failed test is named with the first line of its error and its own line in the stack', () => {
  const stack = 'Error: no\n    at Object.wait (/home/src/kit.ts:3:1)\n    at file:///home/src/a.test.ts:12:5'
  write({
    status: 'failed',
    assertionResults: [named('one', 'failed', stack), named('two', 'failed', 'Error: no\n    at here')],
  })
  expect(readSuiteResults(report, 1)).toMatchObject({
    passed: 0,
    failed: 2,
    failures: ['src/a.test.ts > one: Error: no (line 12)', 'src/a.test.ts > two: Error: no'],
  })
})

test('a test that passed at its second attempt is passed, and is named with its first error', () => {
  write({ status: 'passed', assertionResults: [named('one', 'passed', 'Error: late\n    at here')] })
  expect(readSuiteResults(report, 0)).toMatchObject({
    passed: 1,
    failures: [],
    repeated: ['src/a.test.ts > one: Error: late'],
  })
})

test('a file that could not run is one failure', () => {
  write({ status: 'failed', message: 'Error: no such module\n', assertionResults: [] })
  expect(readSuiteResults(report, 1).failures).toEqual(['src/a.test.ts: Error: no such module'])
})

test('tests whose process died are failures, even when the file counts as passed', () => {
  write({
    status: 'passed',
    assertionResults: [named('one', 'passed'), named('two', 'pending'), named('three', 'pending')],
  })
  expect(readSuiteResults(report, 1)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 0,
    failures: ['src/a.test.ts > two: never ended', 'src/a.test.ts > three: never ended'],
    repeated: [],
  })
})

test('an error outside of all tests is one failure', () => {
  write({ status: 'passed', assertionResults: [named('one', 'passed')] })
  expect(readSuiteResults(report, 1)).toMatchObject({ passed: 1, failed: 1 })
})

test('a missing report is one failure', () => {
  expect(readSuiteResults(path.join(folder, 'none.json'), 0)).toMatchObject({ passed: 0, failed: 1 })
})
