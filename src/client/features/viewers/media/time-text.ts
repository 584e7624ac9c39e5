import { formatterFor } from '../../../i18n/locale.ts'

/** Returns a time as players print it: `1:05`, or `2:01:05`. */
export function timeText(timeS: number): string {
  const { hours, minutes, seconds } = partsOf(timeS)
  const parts = hours > 0 ? [hours, twoDigits(minutes), twoDigits(seconds)] : [minutes, twoDigits(seconds)]
  return parts.join(':')
}

/** Returns a time as screen readers say it: `1 minute, 5 seconds`. */
export function spokenTime(timeS: number): string {
  const { hours, minutes, seconds } = partsOf(timeS)
  const parts = [
    ...(hours > 0 ? [say(hours, 'hour')] : []),
    ...(minutes > 0 ? [say(minutes, 'minute')] : []),
    ...(seconds > 0 || timeS < 60 ? [say(seconds, 'second')] : []),
  ]
  return formatterFor('times', (tag) => new Intl.ListFormat(tag, { type: 'unit' })).format(parts)
}

const say = (value: number, unit: 'hour' | 'minute' | 'second'): string =>
  formatterFor(
    `long ${unit}`,
    (tag) => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }),
  ).format(value)

function partsOf(timeS: number): {
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
} {
  const whole = Math.max(0, Math.floor(timeS))
  return { hours: Math.floor(whole / 3600), minutes: Math.floor(whole / 60) % 60, seconds: whole % 60 }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')
