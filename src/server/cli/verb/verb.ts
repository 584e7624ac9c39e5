import type { LoadedConfig } from '../../config/load-config.ts'
import type { Option } from '../../config/option.ts'
import type { PasswordHasher, PasswordThreads } from '../../auth/passwords.ts'
import type { ServerRecords } from '../../records/port.ts'
import type { ConfigResolver } from './prepared-state.ts'

/** The environment in which a command line runs: streams, environment variables, clock and source of randomness. */
export type CliEnvironment = {
  readonly stdout: { readonly write: (text: string) => unknown }
  readonly stderr: { readonly write: (text: string) => unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
  /** The version of Stowage, which the page shows as well. */
  readonly version: string
  /** The threads that hash passwords. The command starts its own threads unless a test provides them. */
  readonly passwordThreads?: PasswordThreads | undefined
}

/**
 * The call of a verb: the arguments after the verb's name, the flags by the name of their option, and the serving
 * configuration.
 */
export type VerbCall = {
  readonly words: readonly string[]
  readonly flags: ReadonlyMap<string, string>
  readonly loaded: LoadedConfig
  /** Resolves the configuration again, with options that a database holds. */
  readonly resolve: ConfigResolver
  readonly io: CliEnvironment
  readonly passwords: PasswordHasher
  /** Writes one line to standard output. */
  readonly print: (line: string) => void
}

/** The call of a verb that only prints. The verb also works with an invalid configuration and without a database. */
export type PrintCall = Pick<VerbCall, 'print'>

/** The call of a verb that works on the state of an installation. */
export type VerbCallWithRecords = VerbCall & { readonly records: ServerRecords }

/**
 * The call of an import. `withRecords` opens the database, which is created if it is missing. An import reads its file
 * before it opens the database.
 */
export type ImportCall = VerbCall & {
  readonly withRecords: (work: (call: VerbCallWithRecords) => Promise<void>) => Promise<void>
}

/** A verb of the command line. */
export type CliVerb = {
  /** The words that call the verb, such as `users add`. */
  readonly name: string
  /**
   * The names of the verb's parameters. A parameter in brackets (`[END]`) is optional. A last parameter with `…`
   * accepts several arguments.
   */
  readonly parameters: readonly string[]
  readonly meaning: string
  /** The verb's own options. They take precedence over serving options that have the same short name. */
  readonly options: readonly Option[]
} & (
  | { readonly worksOn: 'itself'; readonly run: (call: PrintCall) => void }
  /** `nothing`: no database is read. `stored options`: the options in an existing database are read. */
  | { readonly worksOn: 'nothing' | 'stored options'; readonly run: (call: VerbCall) => Promise<void> }
  | { readonly worksOn: 'any database'; readonly run: (call: ImportCall) => Promise<void> }
  /** `database`: the database must exist. `new database`: the database must not exist. */
  | {
      readonly worksOn: 'database' | 'new database'
      readonly run: (call: VerbCallWithRecords) => Promise<void>
    }
)
