import { posix } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import type { RecordReader } from '../../exchange/record-reader.ts'

/** A served folder of FileBrowser Quantum, as its configuration describes it. */
export type QuantumSource = {
  /** The absolute path of the folder on the machine of FileBrowser Quantum, by which records name the source. */
  readonly path: string
  readonly name: string
  /** True when nothing in the source may be shared. */
  readonly isPrivate: boolean
  readonly isDisabled: boolean
  /** True when users may see only entries that an access rule allows. */
  readonly deniesByDefault: boolean
  readonly exclusions: readonly SourceExclusion[]
  /** The names of settings that may restrict the source and have no counterpart here, such as `config.include`. */
  readonly unknownRestrictions: readonly string[]
}

/** Entries that a source hides: one path, or each entry whose name matches a regular expression. */
export type SourceExclusion = { readonly path: string } | { readonly namePattern: string }

/** Reads the sources from the member `server` of a configuration. Throws `bad-request` for values of another type. */
export const sourcesOf = (server: RecordReader): readonly QuantumSource[] =>
  server.list('sources').map(sourceOf)

function sourceOf(record: RecordReader): QuantumSource {
  const config = record.members('config')
  const conditionals = config.members('conditionals')
  const isHiding = conditionals.toggle('ignoreHidden') || conditionals.toggle('hidden')
  const rules = [...config.list('rules'), ...conditionals.list('rules')].map(readRule)
  return {
    path: sourcePathOf(record.text('path')),
    name: record.text('name') || posix.basename(record.text('path')),
    isPrivate: config.toggle('private'),
    isDisabled: config.toggle('disabled'),
    deniesByDefault: config.toggle('denyByDefault'),
    exclusions: [
      ...(isHiding ? [{ namePattern: String.raw`\.[^/]*` }] : []),
      ...rules.flatMap(({ exclusions }) => exclusions),
    ],
    unknownRestrictions: [
      ...unknownMembers(record, sourceMembers, ''),
      ...unknownMembers(config, configMembers, 'config.'),
      ...unknownMembers(conditionals, conditionalMembers, 'config.conditionals.'),
      ...rules.flatMap(({ unknown }) => unknown.map((name) => `rules.${name}`)),
    ],
  }
}

const sourceMembers: ReadonlySet<string> = new Set(['path', 'name', 'config'])

/** The settings of a source that are kept here, and those that restrict nobody. */
const configMembers: ReadonlySet<string> = new Set(
  (
    'private disabled denyByDefault conditionals rules defaultUserScope defaultEnabled createUserDir useLogicalSize ' +
    'disableIndexing indexingInterval indexingIntervalMinutes maxWatchers neverWatchPaths'
  )
    .toLowerCase()
    .split(' '),
)

const conditionalMembers: ReadonlySet<string> = new Set([
  'hidden',
  'ignorehidden',
  'ignorezerosizefolders',
  'rules',
])

/**
 * Returns the members of an object that have a value and are not known, and those whose name another member has in other
 * case. Any of them may be a restriction of another version, or a misspelt one.
 */
function unknownMembers(record: RecordReader, known: ReadonlySet<string>, prefix: string): readonly string[] {
  const seen = new Set<string>()
  return record.entries().flatMap(([name, value]) => {
    const key = name.toLowerCase()
    const isDoubled = seen.has(key)
    seen.add(key)
    return isDoubled || (!known.has(key) && isRestriction(value)) ? [`${prefix}${name}`] : []
  })
}

/** Returns true unless a value is empty, or an object of empty values. */
const isRestriction = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.values(value).some(isRestriction)
    : isSet(value)

/** Returns a source's path in the form in which paths of sources are compared. */
export const sourcePathOf = (written: string): string => posix.normalize(written).replace(/(?<=[^/])\/+$/, '')

/** The members of a rule that name entries. The rules of several versions differ in the plural of a name. */
const exclusionReaders: Readonly<Record<string, (text: string) => SourceExclusion | null>> = {
  folderpath: pathExclusion,
  filepath: pathExclusion,
  foldername: (name) => ({ namePattern: escapeRegex(name) }),
  filename: (name) => ({ namePattern: escapeRegex(name) }),
  folderstartswith: (start) => ({ namePattern: `${escapeRegex(start)}[^/]*` }),
  filestartswith: (start) => ({ namePattern: `${escapeRegex(start)}[^/]*` }),
  folderendswith: (end) => ({ namePattern: `[^/]*${escapeRegex(end)}` }),
  fileendswith: (end) => ({ namePattern: `[^/]*${escapeRegex(end)}` }),
}

/** Returns the exclusion of a path; null for a text that is not a path. */
function pathExclusion(path: string): SourceExclusion | null {
  return confinedScope(path) === null ? null : { path }
}

/** Members that hide nothing: they limit the work of the index. */
const harmlessMembers: ReadonlySet<string> = new Set(['neverwatchpath', 'ignorezerosizefolders', 'viewable'])

type ParsedExclusionRule = {
  readonly exclusions: readonly SourceExclusion[]
  /** The names of members that have no counterpart here. */
  readonly unknown: readonly string[]
}

function readRule(rule: RecordReader): ParsedExclusionRule {
  // Such a rule only keeps entries out of the index of the search.
  if (rule.has('viewable') && rule.toggle('viewable')) return { exclusions: [], unknown: [] }
  const readings = rule
    .entries()
    .map(([name, value]) => ({ name, key: name.toLowerCase().replace(/names$/, 'name'), value }))
    .filter(({ key, value }) => isSet(value) && !harmlessMembers.has(key))
    .map(({ name, key, value }) => ({
      name,
      exclusion: typeof value === 'string' ? (exclusionReaders[key]?.(value) ?? null) : null,
    }))
  return {
    exclusions: readings.flatMap(({ exclusion }) => exclusion ?? []),
    unknown: readings.flatMap(({ name, exclusion }) => (exclusion === null ? [name] : [])),
  }
}

const isSet = (value: unknown): boolean =>
  value !== null && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)

/** Escapes a text so that a regular expression matches the text itself. */
export const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** Throws `unsupported` unless there is a source. */
export function requireSources(sources: readonly QuantumSource[]): readonly QuantumSource[] {
  if (sources.length > 0) return sources
  throw new AppError('unsupported', {
    reason: 'no sources are named; name the configuration of FileBrowser Quantum with --quantumConfig',
  })
}
