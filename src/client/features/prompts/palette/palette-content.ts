import type { ReactNode } from 'react'

/** An option in the list of the palette, such as a found file or a command. */
export type PaletteOption = {
  /** Identifies the option, also when better ones move it. */
  readonly id: string
  /** The text of the option for screen readers, when its content says too little or too much. */
  readonly spoken?: string
  readonly label: string
  readonly content: ReactNode
  /** True for a command that cannot run now. It can be reached, so that its reason is read, and does nothing. */
  readonly isDisabled?: boolean
  readonly choose: () => void
  /** Opens the option in a new tab of the browser, on Ctrl+Enter. */
  readonly openInNewTab?: () => void
}

export type PaletteSection = {
  readonly id: string
  /** The heading of the section, or null for a section without one. */
  readonly title: string | null
  readonly options: readonly PaletteOption[]
}

/** The content of the palette for a text: options in sections, and the texts around them. */
export type PaletteContent = {
  /** The name of the dialog for screen readers. */
  readonly title: string
  readonly fieldLabel: string
  readonly listLabel: string
  readonly sections: readonly PaletteSection[]
  readonly above?: ReactNode
  readonly below?: ReactNode
  /** The text in the place of the list while it is empty. */
  readonly emptyText: string
  /** The line at the end that names the keys. */
  readonly help: string
  /** Chooses the first option: now, or when the search for it has ended. */
  readonly chooseFirst: () => void
}

/** The character with which a text for commands begins, as in other programs. Any other text finds files. */
export const commandPrefix = '>'

/** Returns the text by which commands are found, or null for a text that finds files. */
export const commandQueryOf = (text: string): string | null =>
  text.startsWith(commandPrefix) ? text.replace(/^[>\s]+/, '') : null
