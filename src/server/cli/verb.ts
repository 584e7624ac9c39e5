import type { LoadedConfig } from '../config/load-config.ts'
import type { Option } from '../config/option.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { Records } from '../records/port.ts'

/** What a verb has of the world. */
export type Io = {
  readonly stdout: { readonly write: (text: string) => unknown }
  readonly stderr: { readonly write: (text: string) => unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
  /** The text that the page's `Version` holds. */
  readonly version: string
}

/** A verb that was called: its words behind the verb, its flags by option name, and what serving would be configured with. */
export type Call = {
  readonly words: readonly string[]
  readonly flags: ReadonlyMap<string, string>
  readonly loaded: LoadedConfig
  readonly io: Io
  readonly passwords: Passwords
  /** A line of output. */
  readonly print: (line: string) => void
}

/** What a verb has that is about the program itself: it runs where the configuration is broken and the database away, too. */
export type BareCall = Pick<Call, 'print'>

/** A verb on the state of an installation. */
export type RecordsCall = Call & { readonly records: Records }

/** A verb that first reads what it brings: only then is the database opened, and made where there is none. */
export type BringingCall = Call & {
  readonly withRecords: (work: (call: RecordsCall) => Promise<void>) => Promise<void>
}

export type Verb = {
  /** `users add` and the like. */
  readonly name: string
  /** The words that it takes, by name: `[END]` may be left out, of the last one `COMMAND…` there may be several. */
  readonly takes: readonly string[]
  readonly meaning: string
  /** Beside those of serving; of two options with one short name these are meant. */
  readonly options: readonly Option[]
} & (
  | { readonly on: 'itself'; readonly run: (call: BareCall) => void }
  /** `nothing`: it opens no database, whose state does not matter. `stored options`: one that exists is looked at. */
  | { readonly on: 'nothing' | 'stored options'; readonly run: (call: Call) => Promise<void> }
  | { readonly on: 'any database'; readonly run: (call: BringingCall) => Promise<void> }
  /** `database`: one that exists. `new database`: where none is. */
  | { readonly on: 'database' | 'new database'; readonly run: (call: RecordsCall) => Promise<void> }
)
