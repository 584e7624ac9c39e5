import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { createFolder } from '../../operations/create.ts'
import { createOperationContext } from '../../operations/operation-context.ts'
import { NamePrompt } from './name-prompt.tsx'

export function NewFolderPrompt({ folder }: { readonly folder: Path }) {
  return (
    <NamePrompt
      folder={folder}
      title={t('prompt.newFolder.title')}
      label={t('prompt.newFolder.text')}
      submit={t('buttons.create')}
      onName={(name) => void createFolder(createOperationContext(), { folder, name })}
    />
  )
}
