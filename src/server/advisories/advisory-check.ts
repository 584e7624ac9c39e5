import type { Overview } from '../../shared/contract/overview.ts'
import { readTextUpTo } from '../../shared/domain/utf8.ts'
import { readAdvisoryRecord, writeAdvisoryRecord, type AdvisoryRecord } from './advisory-file.ts'
import { advisoriesAbout, parseAdvisoryList, type ListedAdvisory } from './advisory-list.ts'

export type AdvisoryCheckDependencies = {
  /** The address of the list. Empty when the check is off. */
  readonly url: string
  /** The file in which the last list is kept. */
  readonly file: string
  readonly version: string
  /** False for all but the first of several processes. Only the first one sends requests, the others read its file. */
  readonly isAsking: boolean
  readonly nowMs: () => number
  readonly log: (line: string) => void
}

/** The check for advisories about the running version. */
export type AdvisoryCheck = {
  /** Returns the advisories about the running version, without a request. Null when the check is off. */
  readonly state: () => Promise<Overview['advisories']>
  readonly stop: () => Promise<void>
}

const dayMs = 24 * 3_600_000

/** The interval in ms at which the server looks whether a day has passed since the last request. */
const lookIntervalMs = 3_600_000

/** The time and the number of characters that a response may take. A page of 30 long advisories on GitHub has about 200,000. */
const responseLimits = { timeMs: 10_000, characters: 2 * 1024 * 1024 } as const

/**
 * Creates the check, which asks for the list at most once a day, whatever the response is. The request is the same for all
 * servers: it contains neither the version nor anything else about this one. Without a URL, nothing is requested.
 */
export function createAdvisoryCheck(dependencies: AdvisoryCheckDependencies): AdvisoryCheck {
  const { url, file, version, isAsking, nowMs, log } = dependencies
  if (url === '') return { state: async () => null, stop: async () => {} }
  const stopping = new AbortController()

  async function askIfDue(): Promise<void> {
    const before = await readAdvisoryRecord(file, url)
    const passedMs = before === null ? dayMs : nowMs() - before.askedAtMs
    // A time in the future was written with a wrong clock.
    if (before !== null && passedMs >= 0 && passedMs < dayMs) return
    const asked: AdvisoryRecord = {
      url,
      askedAtMs: nowMs(),
      answeredAtMs: before?.answeredAtMs ?? null,
      failure: null,
      list: before?.list ?? [],
    }
    // The record is written before the request, so that a server that is started again and again does not ask each time.
    await writeAdvisoryRecord(file, asked)
    const answer = await requestList(url, stopping.signal)
    if (typeof answer === 'string') {
      if (stopping.signal.aborted) return writeAdvisoryRecord(file, before ?? { ...asked, askedAtMs: 0 })
      log(`Warning: the list of known vulnerabilities at ${url} could not be read: ${answer}`)
      return writeAdvisoryRecord(file, { ...asked, failure: answer })
    }
    for (const { id, summary } of advisoriesAbout(version, answer))
      log(`Warning: version ${version} has a known vulnerability: ${id}: ${summary}`)
    await writeAdvisoryRecord(file, { ...asked, answeredAtMs: nowMs(), list: answer })
  }

  let isFileFaulty = false
  async function askAndLog(): Promise<void> {
    try {
      await askIfDue()
      isFileFaulty = false
    } catch (error) {
      isFileFaulty = true
      log(`Warning: ${file} could not be written: ${reasonOf(error)}`)
    }
  }

  let asking: Promise<void> = Promise.resolve()
  const look = (): void => {
    asking = asking.then(askAndLog)
  }
  if (isAsking) look()
  const timer = isAsking ? setInterval(look, lookIntervalMs).unref() : undefined
  return {
    async state() {
      const record = await readAdvisoryRecord(file, url)
      if (record === null) return { checked: null, isUnread: isFileFaulty, found: [] }
      const { answeredAtMs, failure, list } = record
      return {
        checked: answeredAtMs === null ? null : new Date(answeredAtMs).toISOString(),
        isUnread: isFileFaulty || failure !== null,
        found: [...advisoriesAbout(version, list)],
      }
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await asking
    },
  }
}

/** Requests the list. Returns the reason as a text when no list was received. Redirects are not followed. */
async function requestList(url: string, signal: AbortSignal): Promise<readonly ListedAdvisory[] | string> {
  try {
    const reply = await fetch(url, {
      headers: { Accept: 'application/json', 'User-Agent': 'stowage' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(responseLimits.timeMs)]),
    })
    if (reply.status !== 200) {
      await reply.body?.cancel()
      return `the status is ${reply.status}`
    }
    const text = await readTextUpTo(responseLimits.characters, reply.body)
    if (text === null) return 'it is too long'
    return parseAdvisoryList(text) ?? 'it is no list of advisories'
  } catch (error) {
    return reasonOf(error)
  }
}

/** Returns the message of an error. The reason of a failed request is in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || String(error.cause) : error.message
}
