import { t } from '../../i18n/translate.ts'
import type { Prompt } from '../../state/prompt.ts'
import { createOrAskAgain } from './create-or-ask-again.ts'
import { NamePrompt } from './name-prompt.tsx'

const textIds = {
  'new-folder': { title: 'prompt.newFolder.title', label: 'prompt.newFolder.text' },
  'new-file': { title: 'prompt.newFile.title', label: 'prompt.newFile.text' },
} as const

type NewEntryPromptProps = Extract<Prompt, { readonly kind: keyof typeof textIds }>

/** Asks for the name of a new folder or of a new file. */
export function NewEntryPrompt({ kind, folder, refused }: NewEntryPromptProps) {
  return (
    <NamePrompt
      folder={folder}
      title={t(textIds[kind].title)}
      label={t(textIds[kind].label)}
      submit={t('buttons.create')}
      refused={refused}
      onName={(name) => createOrAskAgain({ kind, folder, name })}
    />
  )
}
