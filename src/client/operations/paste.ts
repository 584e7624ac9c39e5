import { childOf, isWithin, type Path } from '../../shared/domain/path.ts'
import { sentences } from '../i18n/joined-texts.ts'
import { t } from '../i18n/translate.ts'
import { clearClipboard, clipboard, type ClipboardContent } from '../state/clipboard.ts'
import { transferEntries, type TransferContext } from './transfer.ts'

/**
 * Moves or copies the content of the clipboard into a folder. Cut entries leave the clipboard when they have been
 * moved, and copied entries can be pasted again.
 */
export async function pasteInto(context: TransferContext, to: Path): Promise<void> {
  const content = clipboard.get()
  if (content !== null) await pasteContent(context, content, to)
}

async function pasteContent(context: TransferContext, content: ClipboardContent, to: Path): Promise<void> {
  const { verb, folder, entries } = content
  const parent = entries.find(({ name, isFolder, folder: own }) => {
    const path = childOf(own ?? folder, name)
    return isFolder && path !== null && isWithin(to, path)
  })
  if (parent !== undefined)
    return context.notifyFailure(sentences(t('failed.paste', { name: parent.name }), t('reason.into-itself')))
  const retry = (): void => void pasteContent(context, content, to)
  const isDone = await transferEntries(context, { verb, from: folder, to, entries }, retry)
  if (isDone && verb === 'move' && areSameEntries(clipboard.get(), content)) clearClipboard()
}

/** Returns true when two contents name the same entries. Another tab may have cut the entries again meanwhile. */
const areSameEntries = (a: ClipboardContent | null, b: ClipboardContent): boolean =>
  a?.verb === b.verb &&
  a.folder === b.folder &&
  a.entries.length === b.entries.length &&
  a.entries.every(({ name, folder }, at) => name === b.entries[at]?.name && folder === b.entries[at]?.folder)
