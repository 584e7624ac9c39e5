import { splitName } from '../../../shared/domain/names.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import { createOperationContext } from '../../operations/operation-context.ts'
import { renameEntry } from '../../operations/rename.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { FileName } from '../../ui/file-name.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { NamePrompt } from './name-prompt.tsx'
import styles from './prompts.module.css'

type RenamePromptProps = { readonly folder: Path; readonly entry: ListedEntry }

/**
 * Asks for a new name. For a file, the name without its extension is selected, so that typing keeps the extension. For
 * a folder, the whole name is selected.
 */
export function RenamePrompt({ folder, entry: { name, isFolder } }: RenamePromptProps) {
  const shown = (
    <strong className={styles.whole}>
      <FileName name={name} isWhole />
    </strong>
  )
  return (
    <NamePrompt
      folder={folder}
      title={t('prompt.rename.title')}
      label={t('prompt.rename.text', { name: visibleName(name) })}
      text={
        <p aria-hidden>
          <RichText id="prompt.rename.text" values={{ name: shown }} />
        </p>
      }
      submit={t('buttons.rename')}
      old={name}
      selected={isFolder ? name.length : splitName(name).stem.length}
      onName={(to) => void renameEntry(createOperationContext(), { folder, from: name, to })}
    />
  )
}
