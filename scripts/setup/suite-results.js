import { readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * What came of a suite. `failures` names each failed test, each file that could not be run or was not run to its end, with the
 * first line of why.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[] }} SuiteResults
 */

/** @typedef {{ status: string, fullName: string, failureMessages?: readonly string[] }} Test */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: readonly Test[] }} TestFile */

/**
 * Reads the JSON report of Vitest. A file that could not run counts as one failure, and so does a test that was never ended because
 * its process died; an error outside of every test shows in nothing but the exit code, and counts as one.
 * @param {string} file
 * @param {number} code the exit code of Vitest
 * @returns {SuiteResults}
 */
export function readSuiteResults(file, code) {
  const files = readFiles(file)
  if (files === null) return nothingButA('failure: there is no report of what was run')
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const failures = files.flatMap(failuresOf)
  if (failures.length === 0 && code !== 0)
    failures.push(`something outside of every test (exit code ${code})`)
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failures.length,
    skipped: tests.filter(({ status }) => status === 'skipped' || status === 'todo').length,
    failures,
  }
}

/** @param {string} failure */
const nothingButA = (failure) => ({ passed: 0, failed: 1, skipped: 0, failures: [failure] })

/**
 * @param {string} file
 * @returns {readonly TestFile[] | null}
 */
function readFiles(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults
  } catch {
    return null
  }
}

/** @param {TestFile} file */
function failuresOf({ name, status, message, assertionResults }) {
  const shown = path.relative(process.cwd(), name)
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${shown} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`)
  const unended = assertionResults.filter((test) => test.status === 'pending')
  const died = unended.map((test) => `${shown} > ${test.fullName}: never ended`)
  const broken = status === 'failed' && failed.length + died.length === 0
  return [...failed, ...died, ...(broken ? [`${shown}: ${firstLine(message)}`] : [])]
}

const firstLine = (text = '') => text.trim().split('\n')[0]
