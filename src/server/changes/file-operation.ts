import type { AuditAction } from '../../shared/domain/audit-actions.ts'
import { codeOf, type ErrorCode } from '../../shared/domain/failure.ts'
import { joinPaths, type Path } from '../../shared/domain/path.ts'
import type { ChangeCause } from './change.ts'

/** Something that an actor does to files, as the audit log names it. It can consist of many changes. */
export type FileOperation = {
  readonly action: Extract<
    AuditAction,
    'upload' | 'create-folder' | 'edit' | 'copy' | 'move' | 'delete' | 'extract' | 'compress'
  >
  readonly path: Path
  /** The destination of an entry that is copied or moved, or of the members of an archive. */
  readonly to?: Path | undefined
  /** The folder and the names of the entries that are packed into a new archive. */
  readonly packed?: { readonly folder: Path; readonly names: readonly string[] }
  /** The size in bytes of the file that a change replaced. Known when the operation has succeeded. */
  readonly replacedBytes?: number | undefined
}

/** The user in whose name an operation is made, and its cause. */
export type OperationAuthor = {
  readonly user: { readonly id: number; readonly username: string }
  /** The hash of the share whose guest makes the operation; null for the user. */
  readonly guestOf: string | null
  /** The id of the session of the user. Null for a guest. */
  readonly session: string | null
  readonly cause: ChangeCause
}

/** An operation that has ended. Its paths are those of the volume. */
export type EndedOperation = FileOperation & {
  readonly outcome: 'ok' | ErrorCode
  readonly author: OperationAuthor
}

/** Records an operation whose paths are relative to a storage. */
export type OperationRecorder = (operation: FileOperation, outcome: EndedOperation['outcome']) => void

/** Does the work of an operation, and records how it ended. */
export async function recordOperation<Result>(
  record: OperationRecorder,
  operation: FileOperation,
  work: () => Promise<Result>,
  factsOf: (result: Result) => Pick<FileOperation, 'replacedBytes'> = () => ({}),
): Promise<Result> {
  let result: Result
  try {
    result = await work()
  } catch (error) {
    record(operation, codeOf(error))
    throw error
  }
  record({ ...operation, ...factsOf(result) }, 'ok')
  return result
}

/** Returns the recorder of operations in a folder, whose paths are relative to the folder. */
export function recorderBelow(record: OperationRecorder, folder: Path): OperationRecorder {
  const placed = (path: Path): Path => joinPaths(folder, path) ?? path
  return ({ path, to, packed, ...operation }, outcome) =>
    record(
      {
        ...operation,
        path: placed(path),
        ...(to !== undefined && { to: placed(to) }),
        ...(packed && { packed: { ...packed, folder: placed(packed.folder) } }),
      },
      outcome,
    )
}
