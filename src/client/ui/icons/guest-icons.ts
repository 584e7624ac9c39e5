import { ChevronLeft, ChevronRight, Download, ExternalLink, House, ListChecks, type IconNode } from 'lucide'
import type { IconName } from '../icon-names.ts'

/** The drawings that the page of a share uses in addition to those of the first screens. */
export const guestIcons = {
  'chevron-right': ChevronRight,
  download: Download,
  external: ExternalLink,
  home: House,
  'list-checks': ListChecks,
  next: ChevronRight,
  previous: ChevronLeft,
} as const satisfies Readonly<Partial<Record<IconName, IconNode>>>
