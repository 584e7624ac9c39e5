import type { FileResource } from '../../../../shared/contract/resources.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { fileFactsOf, viewedFile } from '../../viewers/viewed-file.ts'
import { isShownAsDocument } from '../../viewers/viewers.ts'
import { useIsEditable } from './use-is-editable.ts'

/**
 * The kind of the text that a file contains: a plain text opens in the editor, a document is shown as what it is, and its text
 * is edited on request. Other files have no text that can be edited. The kind is unknown until the first bytes of the file have come.
 */
export type TextKind = 'plain' | 'document' | 'none' | 'unknown'

/** Returns the kind of the text that a file contains. */
export function useTextKind(
  path: Path,
  file: FileResource,
  { mayRead }: { readonly mayRead: boolean },
): TextKind {
  const isEditable = useIsEditable(path, file, { mayRead })
  if (isEditable === null) return 'unknown'
  if (!isEditable) return 'none'
  return isShownAsDocument(viewedFile(path, fileFactsOf(file))) ? 'document' : 'plain'
}
