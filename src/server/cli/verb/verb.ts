import type { LoadedConfig } from '../../config/load-config.ts'
import type { Option } from '../../config/option.ts'
import type { Passwords } from '../../auth/passwords.ts'
import type { Records } from '../../records/port.ts'

/** The surroundings of the command line: its streams, environment, clock and source of randomness. */
export type CliEnvironment = {
  readonly stdout: { readonly write: (text: string) => unknown }
  readonly stderr: { readonly write: (text: string) => unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
  /** The version, as in the page's `Version`. */
  readonly version: string
}

/**
 * The call of a verb: the words behind the verb, the flags by the name of their option, and the configuration of
 * serving.
 */
export type VerbCall = {
  readonly words: readonly string[]
  readonly flags: ReadonlyMap<string, string>
  readonly loaded: LoadedConfig
  readonly io: CliEnvironment
  readonly passwords: Passwords
  /** Writes one line to standard output. */
  readonly print: (line: string) => void
}

/** The call of a verb about the program itself, which also works with a broken configuration or without a database. */
export type PrintCall = Pick<VerbCall, 'print'>

/** The call of a verb that works on the state of an installation. */
export type RecordsCall = VerbCall & { readonly records: Records }

/**
 * The call of an import, which reads its file first. `withRecords` then opens the database, and creates a missing one.
 */
export type ImportCall = VerbCall & {
  readonly withRecords: (work: (call: RecordsCall) => Promise<void>) => Promise<void>
}

/** A verb of the command line. */
/** A verb of the command line. */
export type Verb = {
  /** The words that call the verb, such as `users add`. */
  readonly name: string
  /**
   * The names of the words behind the verb. A name in brackets (`[END]`) is optional; a last name with `…` stands for
   * several words.
   */
  readonly parameters: readonly string[]
  readonly meaning: string
  /** The verb's own options. They take precedence over options of serving that have the same short name. */
  readonly options: readonly Option[]
} & (
  | { readonly worksOn: 'itself'; readonly run: (call: PrintCall) => void }
  /** `nothing`: the verb reads no database. `stored options`: the stored options of an existing database are read. */
  | { readonly worksOn: 'nothing' | 'stored options'; readonly run: (call: VerbCall) => Promise<void> }
  | { readonly worksOn: 'any database'; readonly run: (call: ImportCall) => Promise<void> }
  /** `database`: the database must exist. `new database`: it must not exist. */
  | { readonly worksOn: 'database' | 'new database'; readonly run: (call: RecordsCall) => Promise<void> }
)
