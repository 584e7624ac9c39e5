import type { Result } from './table.ts'
export async function benchStart(): Promise<readonly Result[]> {
  return []
}
