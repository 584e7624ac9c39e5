import { t } from '../../i18n/translate.ts'
import type { EntriesOfFolder, ListedEntry } from '../../state/listed-entry.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import { FactsList } from '../facts/facts-list.tsx'

/** Shows information about one selected entry, about several selected entries, or about the open folder. */
export function FactsPrompt({ folder, entries }: EntriesOfFolder) {
  return (
    <Dialog
      title={titleOf(entries)}
      onClose={closePrompt}
      width="wide"
      actions={
        <Button kind="primary" ref={focusFirst} onClick={closePrompt}>
          {t('buttons.ok')}
        </Button>
      }
    >
      {entries.length > 1 && (
        <p>
          {t(
            entries.some(({ isFolder }) => isFolder) ? 'prompt.info.selectedItems' : 'prompt.info.selected',
            {
              count: entries.length,
            },
          )}
        </p>
      )}
      <FactsList folder={folder} entries={entries} isWhole />
    </Dialog>
  )
}

function titleOf([entry, ...others]: readonly ListedEntry[]): string {
  if (others.length > 0) return t('prompt.info.severalTitle')
  return t(entry?.isFolder === false ? 'prompt.info.title' : 'prompt.info.folderTitle')
}
