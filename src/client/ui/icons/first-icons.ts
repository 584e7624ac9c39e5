import {
  CircleAlert,
  CircleCheck,
  CloudOff,
  Eye,
  EyeOff,
  Folder,
  FolderUp,
  Lock,
  LogIn,
  RefreshCw,
  Search,
  X,
  type IconNode,
} from 'lucide'
import type { IconName } from '../icon-names.ts'

/**
 * The drawings of the login screen and the error screens, which are part of the first chunk. All other drawings are
 * loaded with the frame.
 */
export const firstIcons = {
  alert: CircleAlert,
  'check-circle': CircleCheck,
  close: X,
  'cloud-off': CloudOff,
  eye: Eye,
  'eye-off': EyeOff,
  folder: Folder,
  'folder-up': FolderUp,
  lock: Lock,
  'log-in': LogIn,
  refresh: RefreshCw,
  search: Search,
} as const satisfies Readonly<Partial<Record<IconName, IconNode>>>

export type InitialIconName = keyof typeof firstIcons
