import { useState } from 'react'
import { childOf, isWithin, type Path } from '../../../shared/domain/path.ts'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import { conflicts } from '../../operations/conflicts.ts'
import { desk } from '../../operations/desk.ts'
import { namesIn } from '../../operations/names-in.ts'
import { transferEntries } from '../../operations/transfer.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { FolderPicker } from './folder-picker.tsx'
import styles from './prompts.module.css'

type TransferPromptProps = {
  readonly verb: 'move' | 'copy'
  readonly folder: Path
  readonly entries: readonly ListedEntry[]
}

/** Where to move or copy the selected entries. Moving to where they are is no move. */
export function TransferPrompt({ verb, folder, entries }: TransferPromptProps) {
  const [picked, setPicked] = useState<{ at: Path; chosen: string | null }>({ at: folder, chosen: null })
  const to = picked.chosen === null ? picked.at : (childOf(picked.at, picked.chosen) ?? picked.at)
  const isAllowed = verb === 'copy' || to !== folder
  const own = entries.flatMap(({ name, isFolder }) => (isFolder ? (childOf(folder, name) ?? []) : []))
  return (
    <Dialog
      title={t(`prompt.${verb}.title`)}
      onClose={closePrompt}
      onSubmit={() => {
        if (!isAllowed) return
        closePrompt()
        void transferEntries({ ...desk, namesIn, conflicts }, { verb, from: folder, to, entries })
      }}
      actions={
        <>
          <Button onClick={closePrompt}>{t('buttons.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={!isAllowed}>
            {t(`buttons.${verb}`)}
          </Button>
        </>
      }
    >
      <p>{t(`prompt.${verb}.text`)}</p>
      <FolderPicker
        label={t(`prompt.${verb}.title`)}
        picked={picked}
        onPick={setPicked}
        isLeftOut={(path) => own.some((moved) => isWithin(path, moved))}
      />
      <p className={styles.muted} aria-live="polite">
        <RichText
          id="prompt.transfer.at"
          values={{
            path: (
              <bdi dir="ltr" className={styles.whole}>
                {visibleName(to)}
              </bdi>
            ),
          }}
        />
      </p>
    </Dialog>
  )
}
