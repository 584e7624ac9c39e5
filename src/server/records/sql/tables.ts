import type { ShareMode } from '../../../shared/contract/shares.ts'
import type { AuditAction, AuditActor } from '../../../shared/domain/audit-actions.ts'
import type { Generated, Kysely } from 'kysely'

/**
 * The tables and their columns, which are the same on SQLite and PostgreSQL. Times are in milliseconds, booleans are 0
 * or 1, and JSON is stored as text.
 */
export type DatabaseTables = {
  readonly migration: { readonly version: number; readonly name: string; readonly applied_at: number }
  readonly user: {
    readonly id: Generated<number>
    readonly username: string
    /**
     * The name in lower case (`nameKey`). It is unique, so that a new name cannot differ from an existing name only in
     * case.
     */
    readonly name_key: string
    readonly password_hash: string
    readonly is_admin: number
    readonly is_disabled: number
    /** The fields that `userFields` declares, as JSON. */
    readonly doc: string
    readonly changed_at: number | null
    readonly created_at: number
    readonly rev: number
    /** 1 when all sessions of the user were ended once, so that tokens of File Browser open no session any more. */
    readonly refuses_old_tokens: Generated<number>
  }
  readonly session: {
    readonly id: string
    readonly user_id: number
    readonly cookie_digest: string
    readonly created_at: number
    readonly seen_at: number
    readonly idle_until: number
    readonly ends_at: number
    readonly agent: string
    readonly address: string
    readonly ended_at: number | null
  }
  readonly session_token: {
    readonly jti_digest: string
    readonly session_id: string
    readonly expires_at: number
  }
  readonly setting: { readonly key: string; readonly value: string; readonly rev: number }
  readonly upload: {
    readonly user_id: number
    readonly path: string
    readonly token: string
    readonly size: number
    readonly overwrite: string
    readonly is_done: number
    readonly touched_at: number
    readonly modified_at: number | null
  }
  readonly share: {
    /**
     * SHA-256 of the share's hash. Shares are found by this digest, so that the duration of a lookup reveals nothing
     * about existing hashes.
     */
    readonly digest: string
    readonly hash: string
    readonly user_id: number
    /** The path. It is percent-encoded, so that all characters are ASCII, whatever bytes a file name contains. */
    readonly path: string
    readonly kind: 'file' | 'folder' | 'awaited'
    readonly password_hash: string | null
    readonly token_digest: string | null
    /**
     * Whole seconds since 1970. The value is 0 for a share that never expires, so that permanent shares are sorted
     * first.
     */
    readonly expires_at_seconds: number
    readonly available_from_seconds: number
    readonly mode: ShareMode
    readonly created_at: number
    /** The number of files and of bytes that guests may add. 0 for no limit. */
    readonly max_files: number
    readonly max_bytes: number
    /** The name that guests see as the sender. Empty for none. */
    readonly sender_name: string
    /** The address that the owner has chosen, in lower case. Empty for none. */
    readonly alias: string
    /** The number of downloads that the share allows. 0 for no limit. */
    readonly max_downloads: number
    readonly visits: number
    readonly downloads: number
    /** 1 when the owner wants to be told of received files. */
    readonly tells_of_files: number
    /** The number of received files that the owner has looked at. */
    readonly seen_files: number
    /** The inode number and the mount point of the entry's disk, with a space between them. Empty for no disk. */
    readonly disk: string
    /** The time at which the entry of an awaited share was found, in ms since 1970. 0 for a share that never waited for it. */
    readonly found_at: number
  }
  /**
   * All aliases that shares have or had. Rows are never removed, so that no share gets the alias of another one. They refer to
   * shares and users that may no longer exist.
   */
  readonly share_alias: {
    /** SHA-256 of the alias, for the reason for which shares have digests. */
    readonly digest: string
    readonly share_digest: string
    readonly user_id: number
  }
  /** The downloads of the last day from shares with a limit, whose later ranges are free. */
  readonly share_download: {
    readonly share_digest: string
    /** SHA-256 of the network of the client and the tag of the file. */
    readonly client_digest: string
    readonly until: number
  }
  readonly received_file: {
    readonly id: string
    readonly share_digest: string
    /** The id that the guest's client gave to the upload. Empty when it gave none. */
    readonly upload_id: string
    /** The name in the shared folder, as a percent-encoded path. Empty until the file has arrived. */
    readonly path: string
    readonly guest: string
    readonly note: string
    readonly size: number
    /** The time at which the file arrived. Null while it is being received. */
    readonly received_at: number | null
    /** The time until which a file that is being received counts towards the limits of the share. */
    readonly lease_until: number
  }
  /** The texts are stored as `storedText` returns them. */
  readonly audit_event: {
    readonly id: Generated<number>
    readonly at: number
    readonly action: AuditAction
    readonly outcome: string
    readonly actor: AuditActor
    readonly user_id: number | null
    readonly username: string
    readonly session: string
    readonly address: string
    readonly target: string
    readonly destination: string
    readonly details: string
  }
  /** One row with the id 1: the sum of `storedBytes` of all events. */
  readonly audit_size: { readonly id: number; readonly bytes: number }
  readonly login_throttle: {
    readonly key: string
    /** The number of times. */
    readonly fails: number
    readonly until: number
    /** The times in ascending order, as a JSON array. */
    readonly times: string
  }
  readonly ticket: {
    readonly digest: string
    readonly user_id: number
    readonly session_id: string
    readonly target_digest: string
    readonly until: number
  }
  /** The running servers, and those that ended without removing their rows. */
  readonly server: { readonly id: string; readonly seen_at: number }
  /** The messages that each server sends to the others. The numbers of one server have no gaps. */
  readonly outbox: {
    readonly server: string
    readonly number: number
    readonly at: number
    /** A JSON array. */
    readonly messages: string
  }
  /** The usage of a scope, as `ScopeUsageRecord` describes it. */
  readonly scope_usage: {
    readonly key: string
    /** The percent-encoded path. */
    readonly scope: string
    readonly revision: number
    readonly bytes: number
    readonly added: number
    readonly more: number
    readonly less: number
    readonly moves: number
    readonly wanted_until: number
    readonly scans: number
    /** The id of the server whose scan is running. Empty for none. */
    readonly scanner: string
    readonly scan_until: number
    readonly scanned: number
    readonly scanned_at: number
    readonly more_at_scan: number
    readonly less_at_scan: number
    readonly is_disturbed: number
    readonly machine: string
  }
  readonly scope_grant: {
    readonly key: string
    readonly server: string
    readonly bytes: number
    readonly is_moving: number
    readonly touched_at: number
  }
}

export type Database = Kysely<DatabaseTables>
