import { type ComponentProps, type ReactNode, useRef } from 'react'
import { ListBoxItem } from 'react-aria-components/ListBox'
import { optionKeyOf } from '../../../ui/option-key.ts'
import { useFirstChoice } from './first-choice.ts'
import type { PaletteOption } from './palette-content.ts'
import styles from './palette.module.css'

/**
 * Renders an option of the palette. The library passes over the options that it knows as disabled, so that their reasons could not
 * be read by the keyboard. An option that cannot run is therefore marked as disabled for screen readers only.
 */
export const PaletteListItem = ({ option }: { readonly option: PaletteOption }) => (
  <ListBoxItem
    id={optionKeyOf(option.id)}
    textValue={option.label}
    {...(option.spoken !== undefined && { 'aria-label': option.spoken })}
    className={styles.item ?? ''}
    onAction={option.choose}
    render={(attributes) => (
      // Only an option with an address would be a link.
      <div
        {...(attributes as ComponentProps<'div'>)}
        aria-disabled={option.isDisabled === true || undefined}
      />
    )}
  >
    <Choice id={optionKeyOf(option.id)}>{option.content}</Choice>
  </ListBoxItem>
)

/** Renders the content of an option, and chooses the option while it is the first one. */
function Choice({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const content = useRef<HTMLSpanElement>(null)
  useFirstChoice(id, content)
  return (
    <span ref={content} className={styles.content}>
      {children}
    </span>
  )
}
