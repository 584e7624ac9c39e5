declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

/** The second part of a catalogue (see `scripts/split-catalogue.ts`). */
declare module '*.po?lingui' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

/** The texts of the page of a share (see `scripts/split-catalogue.ts`). */
declare module '*.po?guest?lingui' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

/** The texts of the card through which guests send files (see `scripts/split-catalogue.ts`). */
declare module '*.po?drop?lingui' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}
