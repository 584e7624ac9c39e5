import type { ChosenEncoding } from '../../../shared/domain/name-encodings.ts'
import { encodingOptions } from '../../operations/archiving/encoding-options.ts'
import { useState } from 'react'
import { childOf, isWithin, type Path } from '../../../shared/domain/path.ts'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import { startExtraction } from '../../operations/archiving/start-archives.ts'
import { startTransfer } from '../../operations/start-transfer.ts'
import { namesOfPlace } from '../../paths/names-of-place.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { addRecentPlace } from '../../state/recent-places.ts'
import { closePrompt } from '../../state/prompt.ts'
import { classNames } from '../../ui/class-names.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { PathText } from '../../ui/direction/path-text.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { FolderPicker } from './folder-picker/folder-picker.tsx'
import { checkName } from './name-check.ts'
import styles from './prompts.module.css'

type TransferPromptProps = {
  readonly verb: 'move' | 'copy' | 'extract'
  readonly folder: Path
  readonly entries: readonly ListedEntry[]
}

/** Asks for the destination of a move, a copy or an extraction. A move into the entries' current folder cannot be confirmed. */
export function TransferPrompt({ verb, folder, entries }: TransferPromptProps) {
  const [to, setTo] = useState(folder)
  const [encoding, setEncoding] = useState<ChosenEncoding>('')
  const isAllowed = verb !== 'move' || entries.some((entry) => (entry.folder ?? folder) !== to)
  const own = entries.flatMap((entry) =>
    entry.isFolder ? (childOf(entry.folder ?? folder, entry.name) ?? []) : [],
  )
  return (
    <Dialog
      title={t(`prompt.${verb}.title`)}
      onClose={closePrompt}
      onSubmit={() => {
        if (!isAllowed) return
        closePrompt()
        addRecentPlace({ path: to, isFolder: true })
        if (verb === 'extract') void startExtraction({ folder, entries }, { to, encoding })
        else void startTransfer({ verb, from: folder, to, entries })
      }}
      actions={
        <DialogActions onCancel={closePrompt} disabled={!isAllowed}>
          {t(`buttons.${verb}`)}
        </DialogActions>
      }
    >
      <p className={styles.whole}>
        <strong>
          {t('prompt.transfer.what', { count: entries.length, name: visibleName(entries[0]?.name ?? '') })}
        </strong>
      </p>
      <p>{t(`prompt.${verb}.text`)}</p>
      <FolderPicker
        label={t(`prompt.${verb}.title`)}
        folder={to}
        onChoose={setTo}
        isExcluded={(path) => own.some((moved) => isWithin(path, moved))}
        checkNewName={checkName}
      />
      {verb === 'extract' && (
        <SelectField
          label={t('encoding.label')}
          hint={t('encoding.hint')}
          options={encodingOptions()}
          value={encoding}
          onChange={(event) => setEncoding(event.target.value as ChosenEncoding)}
        />
      )}
      <p className={classNames(styles.muted, verb === 'move' && styles.place)} aria-live="polite">
        <RichText
          id="prompt.transfer.at"
          values={{ path: <PathText names={namesOfPlace(to)} className={styles.whole} /> }}
        />
        <br />
        {!isAllowed && t('prompt.transfer.here', { count: entries.length })}
      </p>
    </Dialog>
  )
}
