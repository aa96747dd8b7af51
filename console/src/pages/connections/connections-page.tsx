import { useParams } from 'wouter'
import { ConnectionList } from './connection-list.tsx'
import { ConnectionView } from './connection-view.tsx'

export default function ConnectionsPage() {
  const { id } = useParams<{ id?: string }>()
  return id === undefined ? <ConnectionList /> : <ConnectionView key={id} id={id} />
}
