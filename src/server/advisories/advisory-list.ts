import type { Advisory } from '../../shared/contract/overview.ts'
import { isInRange } from './version-range.ts'

/** The part of an advisory that is kept, in the format in which GitHub lists the advisories of a repository. */
export type ListedAdvisory = {
  readonly ghsa_id: string
  readonly summary: string
  readonly html_url: string | null
  readonly withdrawn_at: string | null
  readonly vulnerabilities: readonly { readonly vulnerable_version_range: string }[]
}

/**
 * The limits of a list. An advisory on GitHub has a summary of up to 1024 characters, and a page of a list has 30 advisories.
 * The advisories of one program have a range for each line of versions. With these limits, a list is kept in 2 MiB.
 */
const limits = {
  advisories: 100,
  idCharacters: 50,
  summaryCharacters: 1024,
  urlCharacters: 2000,
  ranges: 20,
  rangeCharacters: 100,
} as const

/** Parses a list of advisories. Returns null for any other text. Fields that are not needed are dropped. */
export function parseAdvisoryList(text: string): readonly ListedAdvisory[] | null {
  try {
    const value = JSON.parse(text) as unknown
    if (!Array.isArray(value)) return null
    const list = value.slice(0, limits.advisories).map(advisoryOf)
    return list.every((advisory) => advisory !== null) ? list : null
  } catch {
    return null
  }
}

/** Returns null for a value that is no advisory, because its name or its summary is missing. */
function advisoryOf(value: unknown): ListedAdvisory | null {
  const { ghsa_id: id, summary, html_url: url, withdrawn_at: withdrawn, vulnerabilities } = fieldsOf(value)
  if (typeof id !== 'string' || typeof summary !== 'string') return null
  return {
    ghsa_id: oneLine(id, limits.idCharacters),
    summary: oneLine(summary, limits.summaryCharacters),
    html_url: isSecureUrl(url) ? url : null,
    withdrawn_at: typeof withdrawn === 'string' ? oneLine(withdrawn, limits.idCharacters) : null,
    vulnerabilities: rangesOf(vulnerabilities),
  }
}

/**
 * Returns the ranges of an advisory. An advisory with too many of them is about all versions, and so is a range that is too
 * long, because a part of a list could leave out the running version.
 */
function rangesOf(value: unknown): ListedAdvisory['vulnerabilities'] {
  const vulnerabilities: readonly unknown[] = Array.isArray(value) ? value : []
  if (vulnerabilities.length > limits.ranges) return []
  return vulnerabilities.map((one) => {
    const { vulnerable_version_range: range } = fieldsOf(one)
    const isShort = typeof range === 'string' && range.length <= limits.rangeCharacters
    return { vulnerable_version_range: isShort ? oneLine(range, limits.rangeCharacters) : '' }
  })
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Replaces line ends and other characters that are not drawn, and cuts a text. Advisories get into the log and onto the page. */
const oneLine = (text: string, most: number): string => text.replaceAll(/\p{C}/gu, ' ').slice(0, most)

const isSecureUrl = (url: unknown): url is string =>
  typeof url === 'string' && url.length <= limits.urlCharacters && URL.parse(url)?.protocol === 'https:'

/** Returns the advisories about a version that were not withdrawn. An advisory without a range is about all versions. */
export const advisoriesAbout = (version: string, list: readonly ListedAdvisory[]): readonly Advisory[] =>
  list
    .filter(
      ({ withdrawn_at: withdrawn, vulnerabilities }) =>
        withdrawn === null &&
        (vulnerabilities.length === 0 ||
          vulnerabilities.some((one) => isInRange(version, one.vulnerable_version_range))),
    )
    .map(({ ghsa_id: id, summary, html_url: url }) => ({ id, summary, url }))
