import { UserForm } from './user-form.tsx'
import { UserList } from './user-list.tsx'

/** Renders the list of users, the form for a new user, or the form of the user whose id is in the address. */
export function UsersPage({ rest }: { readonly rest: string }) {
  if (rest === '') return <UserList />
  return <UserForm id={rest === 'new' ? null : Number(rest)} />
}
