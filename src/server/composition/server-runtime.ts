import type { PasswordThreads } from '../auth/passwords.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { OwnFilesOptions } from '../config/own-files.ts'
import type { DatabaseThreads } from '../records/database-options.ts'
import type { StoredServingOptions } from '../records/settings.ts'
import type { CommandLimits } from '../shell/command-limits.ts'
import type { StorageThreads } from '../storage/posix/storage-threads.ts'
import type { ProcessStarterOptions } from './process-starter.ts'

/**
 * The functions and values that the process provides to the server, such as the clock, the random numbers, the log and
 * the environment.
 */
export type ServerRuntime = OwnFilesOptions &
  ProcessStarterOptions & {
    readonly nowMs: () => number
    readonly randomBytes: (count: number) => Uint8Array
    readonly log: (line: string) => void
    /** Writes one line to the audit log for collectors. Undefined without such a log. */
    readonly logAudit?: ((line: string) => void) | undefined
    /** The folder of the built client; null when the client has not been built. */
    readonly clientFolder: string | null
    readonly version: string
    /** The bytes of memory that the server and its child processes may occupy. Without it, there is enough memory. */
    readonly memoryBytes?: number
    /**
     * The options that the first start stores in the database for later starts: the value of each option as it was
     * entered, by the option's name.
     */
    readonly optionsToStore?: StoredServingOptions
    /** The source of each value of the configuration, which administrators see. Without it, values count as defaults. */
    readonly configSources?: LoadedConfig['sources']
    /** The number of processes that serve together on this machine and share its memory. */
    readonly processCount?: number | undefined
    /** The number of this process among them, from 1. Undefined for a process that serves alone. */
    readonly processNumber?: number | undefined
    /** The environment variables. The login program gets all of them, and hooks get some of them. */
    readonly environment?: Readonly<Record<string, string | undefined>>
    /** Limits that replace the usual limits of users' commands in tests. */
    readonly commandLimits?: Partial<CommandLimits>
    /** The threads that access the served folder. The server starts its own threads unless a test provides them. */
    readonly storageThreads?: StorageThreads | undefined
    /** The threads that hash passwords. The server starts its own threads unless a test provides them. */
    readonly passwordThreads?: PasswordThreads | undefined
    /** The threads of the database file. The server starts its own ones unless a test provides them. */
    readonly databaseThreads?: DatabaseThreads | undefined
  }
