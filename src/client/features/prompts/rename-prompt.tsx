import { splitName } from '../../../shared/domain/names.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { openFolderAt } from '../../state/open-folder.ts'
import type { RefusedName } from '../../state/prompt.ts'
import { FileName } from '../../ui/file-name.tsx'
import { mobileQuery, useMedia } from '../../ui/measuring/use-media.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { InlineRename } from './inline-rename/inline-rename.tsx'
import { checkName } from './name-check.ts'
import { NamePrompt } from './name-prompt.tsx'
import { renameOrAskAgain } from './inline-rename/rename-or-ask-again.ts'
import styles from './prompts.module.css'

type RenamePromptProps = {
  readonly folder: Path
  readonly entry: ListedEntry
  readonly isInline: boolean
  /** The name that the server has refused before. */
  readonly refused?: RefusedName
}

/** Asks for a new name, in the row of the entry or in a dialog. Phones have no room for a field in a row. */
export function RenamePrompt({ folder, entry, isInline, refused }: RenamePromptProps) {
  const isPhone = useMedia(mobileQuery)
  const { name } = entry
  if (!isInline || isPhone)
    return <RenameDialog folder={folder} entry={entry} {...(refused && { refused })} />
  const isTaken = (typed: string): boolean => openFolderAt(folder)?.has(typed) ?? false
  const check = (typed: string) => checkName(typed, { isTaken, old: name })
  return <InlineRename key={name} folder={folder} entry={entry} refused={refused} check={check} />
}

/**
 * Asks for a new name in a dialog. For a file, the name without its extension is selected, so that typing keeps the extension. For
 * a folder, the whole name is selected.
 */
function RenameDialog({ folder, entry, refused }: Omit<RenamePromptProps, 'isInline'>) {
  const { name, isFolder } = entry
  const typed = refused?.typed ?? name
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
      selected={isFolder ? typed.length : splitName(typed).stem.length}
      refused={refused}
      onName={(to) => renameOrAskAgain({ folder, entry, to, isInline: false })}
    />
  )
}
