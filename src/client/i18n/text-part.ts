import type { CompiledMessage } from './render-message.ts'

/**
 * The parts into which the build divides each catalogue, so that a screen loads only the texts that it needs: the texts of
 * the login and the listing, of the page of a share, of the files that guests open, of the card for sending files, of the settings, of the
 * shell, and all others.
 */
export const textParts = ['first', 'guest', 'viewer', 'drop', 'settings', 'shell', 'later'] as const
export type TextPart = (typeof textParts)[number]

/** The texts of a part: lists of texts with consecutive numbers, each list with the number of its first text. */
export type TextRuns = readonly (readonly [firstNumber: number, texts: readonly CompiledMessage[]])[]
