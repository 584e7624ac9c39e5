import { t } from '../../../i18n/translate.ts'

const ends = ['exited', 'signalled', 'time-limit', 'not-started', 'broken'] as const

/** The end of a line's run, with the exit code of a program that has `exited`. */
export type HookEnd = { readonly end: (typeof ends)[number]; readonly status: number | null }

/** Reads the end of a line from the details of an event. */
export function hookEndOf({ end, status }: Readonly<Record<string, unknown>>): HookEnd {
  return {
    end: ends.find((one) => one === end) ?? 'not-started',
    status: typeof status === 'number' ? status : null,
  }
}

/** Returns how a line ended as a sentence. */
export function hookEndText({ end, status }: HookEnd): string {
  return end === 'exited'
    ? t('settings.hook.end.exited', { code: status ?? 0 })
    : t(`settings.hook.end.${end}`)
}
