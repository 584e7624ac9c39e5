import type { Entry } from '../../shared/domain/entry.ts'
import type { Loss } from '../../shared/domain/losses.ts'
import type { Path } from '../../shared/domain/path.ts'

/**
 * Options that every storage call accepts. When `signal` aborts, the call rejects with `aborted` and leaves no partial
 * result.
 */
export type OperationOptions = { readonly signal?: AbortSignal | undefined }

/** The folders that a change has created: those that were missing above its entry, topmost first. */
export type MadeFolders = { readonly madeFolders?: readonly Path[] }

/** A file whose name another file has got by a change. */
export type ReplacedFile = Pick<Entry, 'etag' | 'sizeBytes'>

/**
 * An entry after a change, with what the change left out or could not keep, and the file that it replaced. A folder that
 * was merged into another one has no replaced file. For a created folder, `madeFolders` ends with the folder itself, and
 * is missing when the folder existed before.
 */
export type ChangedEntry = Entry &
  MadeFolders & { readonly losses?: readonly Loss[]; readonly replaced?: ReplacedFile }

/** A received file that is about to be put in place. */
export type FilePlacement = {
  readonly sizeBytes: number
  /**
   * Returns the size in bytes of the file that will be replaced, or 0 when there is none. After this call, the file is
   * put in place only while a file of that size stands at the path.
   */
  readonly replacedBytes: () => Promise<number>
}

/**
 * Options of the changes that put a received file in place. `beforeCommit` is called when all bytes of the file have
 * arrived and before its entry appears. No other received file replaces an entry at the path meanwhile. The function is
 * called again when it has asked for the size of the replaced file, and another file stands at the path afterwards. If
 * the function rejects, the change rejects with the same error, and the path keeps what it had.
 */
export type CommitOptions = {
  readonly beforeCommit?: ((placement: FilePlacement) => Promise<void>) | undefined
}

/**
 * Mode of a write. `create`: no entry may exist at the path. `replace`: an entry must exist at the path. `upsert`: a
 * new entry is created, or the existing entry is replaced.
 */
export type OverwriteMode = 'create' | 'replace' | 'upsert'

/**
 * An upload that is sent in parts, one after the other. With the path and the token, another process can continue the
 * upload. The token is plain ASCII and is kept on the server; clients never see it.
 */
export type UploadSession = { readonly path: Path; readonly token: string }

/**
 * One part of an upload: its bytes, the offset in the file at which the bytes begin, and the maximum number of bytes
 * that the part may have.
 */
export type UploadPart = {
  readonly offsetBytes: number
  readonly maxBytes: number
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * The bytes of a file that is being received. When the first chunk is requested, reading starts and the sender is
 * notified that it may continue. A chunk must not be read after the next one was requested, because its memory is used again.
 */
export type IncomingBody = AsyncIterable<Uint8Array> & {
  /**
   * Returns the whole body when all bytes that the client announced have already arrived. Otherwise returns null, and
   * the caller must iterate over the body. The call returns almost immediately and sends nothing to the client.
   */
  readonly whole?: ((sizeBytes: number) => Promise<Uint8Array | null>) | undefined
}

/** The file that a write or an upload in parts will put at its path. */
type NewFile = {
  readonly path: Path
  readonly overwrite: OverwriteMode
  /**
   * The size that the client announced, in bytes. When a different number of bytes arrives, the change fails with
   * `truncated` and changes nothing. When the disk is too full for this size, it fails immediately with `no-space`.
   */
  readonly sizeBytes?: number | undefined
  /** Creates missing parent folders. */
  readonly parents?: boolean | undefined
}

type SourceAndTarget = { readonly path: Path; readonly to: Path; readonly overwrite: 'create' | 'upsert' }

/** The input and the result of each kind of change. */
type ChangeTypes = {
  /**
   * Writes a file: the bytes are staged, flushed, and put in place in one step, so readers see either the old or the
   * new bytes.
   */
  readonly write: {
    readonly input: NewFile &
      CommitOptions & {
        readonly body: IncomingBody
        /** The modification time of the file in ms since 1970. By default, the file gets the current time. */
        readonly modifiedMs?: number | undefined
        /** The etag that the existing entry must have. */
        readonly ifMatch?: string | undefined
        /** True when everybody who may read a new file may also execute it. */
        readonly isExecutable?: boolean
      }
    readonly result: ChangedEntry
  }
  /**
   * Begins an upload in parts with an empty staged file. Throws every error that can be detected before the bytes
   * arrive.
   */
  readonly begin: { readonly input: NewFile; readonly result: UploadSession & MadeFolders }
  /**
   * Appends a part and returns the number of bytes that have been received in total. The change fails with `wrong-offset`
   * when the part does not begin where the received bytes end. It fails with `too-large` when the part has too many
   * bytes, and none of them are kept. When a part is cut short, the bytes that arrived are kept.
   */
  readonly put: {
    readonly input: {
      readonly upload: UploadSession
      /** The treatment of an existing file when the upload is complete. */
      readonly overwrite: OverwriteMode
      readonly part: UploadPart
    }
    readonly result: number
  }
  /**
   * Flushes the received bytes and puts the file in place in one step, with the given modification time or the current
   * time. A failed commit leaves the upload unchanged.
   */
  readonly commit: {
    readonly input: CommitOptions & {
      readonly upload: UploadSession
      readonly overwrite: OverwriteMode
      readonly modifiedMs?: number | undefined
    }
    readonly result: ChangedEntry
  }
  /** Removes the received bytes of an upload. The change is idempotent. */
  readonly abort: { readonly input: { readonly upload: UploadSession }; readonly result: void }
  /** Creates a folder. With `mayExist`, an existing folder is returned instead of an error. */
  readonly makeFolder: {
    readonly input: {
      readonly path: Path
      readonly parents?: boolean | undefined
      readonly mayExist?: boolean | undefined
    }
    readonly result: ChangedEntry
  }
  /**
   * Moves or renames an entry. With `upsert`, an existing file at the destination is replaced; moving a folder onto a
   * folder fails with `name-taken`. Missing parent folders are created.
   */
  readonly move: { readonly input: SourceAndTarget; readonly result: ChangedEntry }
  /**
   * Copies an entry, with the same rules as a move, except that with `upsert` a folder is merged into an existing
   * folder. Permission bits and times are kept. The change fails with `over-quota` when the files at the destination would
   * grow by more than `maxBytes` bytes in total. The size of a file that the copy replaces is deducted at the moment at
   * which it is replaced.
   */
  readonly copy: {
    readonly input: SourceAndTarget & { readonly maxBytes?: number | undefined }
    readonly result: ChangedEntry
  }
  /**
   * Removes an entry. For a link, the link is removed and not its target. With `ifMatch`, the change fails with
   * `changed-meanwhile` when the entry is a file with another etag, or another folder than the one that had this etag.
   * `undoes` is true for an entry that the caller has just created in work that has failed: it may be removed even when
   * the work failed because the caller's rights were taken away.
   */
  readonly remove: {
    readonly input: {
      readonly path: Path
      readonly recursive: boolean
      readonly ifMatch?: string | undefined
      readonly undoes?: boolean
    }
    readonly result: void
  }
  /**
   * Sets the modification time of a folder that the caller has created, in ms since 1970. The change fails with
   * `changed-meanwhile` when the folder is not the one that had this etag. A folder keeps its identity when its entries
   * change.
   */
  readonly setFolderTime: {
    readonly input: { readonly path: Path; readonly modifiedMs: number; readonly ifMatch: string }
    readonly result: void
  }
}

export type ChangeKind = keyof ChangeTypes

/** A change of the files, of one of the given kinds. */
export type Change<Kind extends ChangeKind = ChangeKind> = {
  readonly [K in Kind]: { readonly kind: K } & ChangeTypes[K]['input'] & OperationOptions
}[Kind]

/** The result of a change of a kind. */
export type ChangeResult<Kind extends ChangeKind> = ChangeTypes[Kind]['result']

/** Makes a change. */
export type Apply = <Kind extends ChangeKind>(change: Change<Kind>) => Promise<ChangeResult<Kind>>

/** Makes a change of one kind. */
export type ChangeHandler<Kind extends ChangeKind> = (change: Change<Kind>) => Promise<ChangeResult<Kind>>

/** A function for each kind of change. A new kind does not compile until every table has a function for it. */
export type ChangeHandlers = { readonly [Kind in ChangeKind]: ChangeHandler<Kind> }

/** Returns the function that makes a change with the handler of its kind, unless `refuse` throws an error. */
export const applyWith =
  (handlers: ChangeHandlers, refuse: () => void = () => {}): Apply =>
  async (change) => {
    refuse()
    return (handlers[change.kind] as ChangeHandler<typeof change.kind>)(change)
  }

/** The kinds of changes that can be checked before they are made. */
export type CheckedKind = 'write' | 'makeFolder' | 'move' | 'copy' | 'remove'

/** A change that the caller intends to make. The bytes of a file are not needed for its checks. */
export type IntendedChange = {
  readonly [Kind in CheckedKind]: Omit<Change<Kind>, 'body' | keyof CommitOptions>
}[CheckedKind]
