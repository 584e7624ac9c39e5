import { Pin, PinOff, type LucideIcon } from 'lucide-react'
import type { IconName } from '../icon-names.ts'

/** The drawings that only parts below the first rows use. They are loaded with these parts. */
export const lateIcons = {
  pin: Pin,
  'pin-off': PinOff,
} as const satisfies Readonly<Partial<Record<IconName, LucideIcon>>>

export type LateIconName = keyof typeof lateIcons
