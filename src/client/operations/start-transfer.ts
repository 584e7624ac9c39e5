import type { ListedEntry } from '../state/listed-entry.ts'
import { clipboard, type ClipboardContent } from '../state/clipboard.ts'
import { announce } from '../state/announcements.ts'
import { clipboardText } from './clipboard-text.ts'
import { conflicts } from './conflicts.ts'
import { fetchEntry, namesIn } from './names-in.ts'
import { createOperationContext } from './operation-context.ts'
import { pasteInto } from './paste.ts'
import { transferEntries, type TransferContext, type TransferRequest } from './transfer.ts'
import type { Path } from '../../shared/domain/path.ts'

type SelectedEntries = { readonly folder: Path; readonly selected: readonly ListedEntry[] }

const createTransferContext = (): TransferContext => ({
  ...createOperationContext(),
  namesIn,
  fetchEntry,
  conflicts,
})

/** Moves or copies entries for the signed-in user, with the dialogs and notices of this page. */
export const startTransfer = (request: TransferRequest): Promise<boolean> =>
  transferEntries(createTransferContext(), request)

/** Copies entries into their own folders, where the copies get numbered names. */
export async function startDuplicate({ folder, selected }: SelectedEntries): Promise<void> {
  await startTransfer({ verb: 'copy', from: folder, to: null, entries: selected })
}

/** Pastes the content of the clipboard into a folder, with the dialogs and notices of this page. */
export const startPaste = (to: Path): Promise<void> => pasteInto(createTransferContext(), to)

/** Puts entries on the clipboard instead of its previous content, and tells screen readers about it. */
export function fillClipboard(verb: ClipboardContent['verb'], { folder, selected }: SelectedEntries): void {
  const content = { verb, folder, entries: [...selected] }
  clipboard.set(content)
  announce(clipboardText(content))
}
