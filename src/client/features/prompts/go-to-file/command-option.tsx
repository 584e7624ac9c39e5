import { useRef } from 'react'
import { ListBoxItem } from 'react-aria-components/ListBox'
import { Search } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useFirstChoice } from './first-choice.ts'

/** The only item of the list while no file matches: it finds the text among the commands. */
export const commandOffer = { id: 'commands' } as const

type CommandOptionProps = {
  readonly id: string
  readonly text: string
  readonly onOpen: (text: string) => void
  readonly className: string | undefined
}

export function CommandOption({ id, text, onOpen, className = '' }: CommandOptionProps) {
  const label = t('palette.findCommand', { text })
  return (
    <ListBoxItem id={id} textValue={label} className={className} onAction={() => onOpen(text)}>
      <OptionContent id={id} label={label} />
    </ListBoxItem>
  )
}

function OptionContent({ id, label }: { readonly id: string; readonly label: string }) {
  const content = useRef<HTMLSpanElement>(null)
  useFirstChoice(id, content)
  return (
    <>
      <Icon icon={Search} size={16} />
      <span ref={content}>{label}</span>
    </>
  )
}
