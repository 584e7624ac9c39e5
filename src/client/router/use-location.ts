import { useStore } from '../state/store.ts'
import { location, type Location } from './router.ts'

export const useLocation = (): Location => useStore(location)
