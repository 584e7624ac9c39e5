import type { Path } from '../../../shared/domain/path.ts'
import type { ComparedEntry } from '../listed-entry.ts'

/** An entry that is sent to a folder in which its name already exists. */
export type NameConflict = {
  readonly verb: 'upload' | 'move' | 'copy'
  readonly folder: Path
  readonly name: string
  /** The entry that is sent. */
  readonly source: ComparedEntry
  /** The file on the device that is sent, or the folder on the server that contains the entry. */
  readonly sentFrom?: Blob | Path | null
  /** The entry that has the name. Null when only the refusal of the server is known. */
  readonly existing: ComparedEntry | null
  /** The name that keeps both entries. Null when the entry that is sent cannot get another name. */
  readonly freeName: string | null
}
