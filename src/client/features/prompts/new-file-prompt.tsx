import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { createFile } from '../../operations/create.ts'
import { createOperationContext } from '../../operations/operation-context.ts'
import { NamePrompt } from './name-prompt.tsx'

export function NewFilePrompt({ folder }: { readonly folder: Path }) {
  return (
    <NamePrompt
      folder={folder}
      title={t('prompt.newFile.title')}
      label={t('prompt.newFile.text')}
      submit={t('buttons.create')}
      onName={(name) => void createFile(createOperationContext(), { folder, name })}
    />
  )
}
