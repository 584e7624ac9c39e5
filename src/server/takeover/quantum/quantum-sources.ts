import { posix } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import type { RecordReader } from '../../exchange/record-reader.ts'

/** A served folder of FileBrowser Quantum, as its configuration describes it. */
export type QuantumSource = {
  /** The absolute path of the folder on the machine of FileBrowser Quantum, by which records name the source. */
  readonly path: string
  readonly name: string
  /** True when nothing in the source may be shared. */
  readonly isPrivate: boolean
  readonly isDisabled: boolean
  /** True when access rules have to allow what users may see. */
  readonly deniesByDefault: boolean
  readonly exclusions: readonly SourceExclusion[]
  /** True when the source hides entries by rules that have no counterpart here. */
  readonly hasOtherExclusions: boolean
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
    hasOtherExclusions:
      rules.some(({ hasOther }) => hasOther) ||
      [...config.members('exclude').entries(), ...config.members('include').entries()].some(([, value]) =>
        isSet(value),
      ),
  }
}

/** Returns a source's path in the form in which paths of sources are compared. */
export const sourcePathOf = (written: string): string => posix.normalize(written).replace(/(?<=[^/])\/+$/, '')

/** The members of a rule that name entries. The rules of several versions differ in the plural of a name. */
const exclusionReaders: Readonly<Record<string, (text: string) => SourceExclusion>> = {
  folderpath: (path) => ({ path }),
  filepath: (path) => ({ path }),
  foldername: (name) => ({ namePattern: escapeRegex(name) }),
  filename: (name) => ({ namePattern: escapeRegex(name) }),
  folderstartswith: (start) => ({ namePattern: `${escapeRegex(start)}[^/]*` }),
  filestartswith: (start) => ({ namePattern: `${escapeRegex(start)}[^/]*` }),
  folderendswith: (end) => ({ namePattern: `[^/]*${escapeRegex(end)}` }),
  fileendswith: (end) => ({ namePattern: `[^/]*${escapeRegex(end)}` }),
}

/** Members that hide nothing: they limit the work of the index. */
const harmlessMembers: ReadonlySet<string> = new Set(['neverwatchpath', 'ignorezerosizefolders', 'viewable'])

type RuleReading = { readonly exclusions: readonly SourceExclusion[]; readonly hasOther: boolean }

function readRule(rule: RecordReader): RuleReading {
  // Such a rule only keeps entries out of the index of the search.
  if (rule.has('viewable') && rule.toggle('viewable')) return { exclusions: [], hasOther: false }
  const members = rule
    .entries()
    .map(([name, value]) => [name.toLowerCase().replace(/names$/, 'name'), value] as const)
    .filter(([name, value]) => isSet(value) && !harmlessMembers.has(name))
  const exclusions = members.flatMap(([name, value]) => {
    const reader = exclusionReaders[name]
    return reader !== undefined && typeof value === 'string' ? [reader(value)] : []
  })
  return { exclusions, hasOther: exclusions.length < members.length }
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
