import { readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The results of a suite. `failures` names each failed test, and each file that could not run or did not finish, with
 * the first line of the error and the line of the test. `repeated` names each test that failed at first and passed at its second attempt.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[], repeated: readonly string[] }} SuiteResults
 */

/** @typedef {{ status: string, fullName: string, failureMessages?: readonly string[] }} VitestTest */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: readonly VitestTest[] }} VitestTestFile */

/**
 * Reads the JSON report of Vitest. A file that could not run counts as one failure. A test that did not finish because
 * its process died counts as one failure too. An error outside all tests appears only in the exit code and counts as
 * one failure.
 * @param {string} file
 * @param {number} code the exit code of Vitest
 * @returns {SuiteResults}
 */
export function readSuiteResults(file, code) {
  const files = readFiles(file)
  if (files === null) return singleFailure('the suite wrote no report')
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const failures = files.flatMap(failuresOf)
  if (failures.length === 0 && code !== 0) failures.push(`an error outside of all tests (exit code ${code})`)
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failures.length,
    skipped: tests.filter(({ status }) => status === 'skipped' || status === 'todo').length,
    failures,
    repeated: files.flatMap(repeatedIn),
  }
}

/** @param {string} failure */
const singleFailure = (failure) => ({ passed: 0, failed: 1, skipped: 0, failures: [failure], repeated: [] })

/**
 * @param {string} file
 * @returns {readonly VitestTestFile[] | null}
 */
function readFiles(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults
  } catch {
    return null
  }
}

/** @param {VitestTestFile} file */
function failuresOf({ name, status, message, assertionResults }) {
  const shown = path.relative(process.cwd(), name)
  const failed = assertionResults.filter((test) => test.status === 'failed').map(describeFailure(shown))
  const unfinished = assertionResults.filter((test) => test.status === 'pending')
  const crashed = unfinished.map((test) => `${shown} > ${test.fullName}: never ended`)
  const didNotRun = status === 'failed' && failed.length + crashed.length === 0
  return [...failed, ...crashed, ...(didNotRun ? [`${shown}: ${firstLine(message)}`] : [])]
}

/** @param {VitestTestFile} file */
const repeatedIn = ({ name, assertionResults }) =>
  assertionResults
    .filter((test) => test.status === 'passed' && (test.failureMessages ?? []).length > 0)
    .map(describeFailure(path.relative(process.cwd(), name)))

/** @param {string} file */
const describeFailure =
  (file) =>
  /** @param {VitestTest} test */
  (test) =>
    `${file} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}${placeOf(file, test.failureMessages?.[0])}`

const firstLine = (text = '') => text.trim().split('\n')[0]

/**
 * Returns the line of a test file at which a test failed, as ` (line 12)`, or nothing where the stack does not name the file.
 * @param {string} file
 */
const placeOf = (file, stack = '') => {
  const line = stack.split(`${file}:`)[1]?.match(/^\d+/)?.[0]
  return line === undefined ? '' : ` (line ${line})`
}
