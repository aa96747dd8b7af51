import { Link, useParams, useSearchParams } from 'wouter'
import { CodeBlock } from '../../components/code-block.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Page } from '../../components/page.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples, postSamples } from '../../samples.ts'
import { Changelog } from './changelog.tsx'
import { DocsView } from './docs-view.tsx'

/** Quick start with the account's own address and key. Everything here is served by the gateway and works offline. */
export default function HelpPage() {
  const { page } = useParams<{ page?: string }>()
  const [search] = useSearchParams()
  if (page !== undefined) return <DocsView key={page} page={page} />
  return search.has('changelog') ? <Changelog /> : <QuickStart />
}

function QuickStart() {
  const world = useSampleWorld()
  const message = { to: '+12025550100', message: 'Hello from Postern' }
  return (
    <Page title="Docs" lead="From zero to a message that a customer has read.">
      <div className="resources">
        <Resource to="/help/guides" icon="book" title="Guides" text="Sending, templates, webhooks, testing" />
        <Resource
          to="/help/go-live"
          icon="channel"
          title="Going live"
          text="From a Meta account to your first message"
        />
        <Resource to="/help/api" icon="book" title="API reference" text="Every endpoint, field and response" />
        <Resource to="/help/events" icon="webhook" title="Events" text="Every event, with a sample of each" />
        <Resource to="/help/errors" icon="alert" title="Errors" text="Every code, what it means, what to do" />
        <Resource to="/help?changelog" icon="list" title="Changelog" text="What changed with each version" />
        <a className="card card-body resource" href="/openapi.json">
          <ResourceText icon="download" title="OpenAPI document" text="For generators and tools" />
        </a>
      </div>
      <ol className="steps">
        <li className="stack">
          <h2>Create an API key</h2>
          <p>
            Under <Link to="/api-keys">API Keys</Link>, press Create New API Key. Keep the secret in{' '}
            <code>POSTERN_API_SECRET</code>: it is shown once.
          </p>
        </li>
        <li className="stack">
          <h2>See who you are</h2>
          <p>Account, scopes, channel and remaining quota, in one call.</p>
          <CodeBlock samples={getSamples(world, '/v1/auth/me')} />
        </li>
        <li className="stack">
          <h2>Send a message</h2>
          <p>
            You can send text to customers who wrote to you within the last 24 hours. The sandbox customer +12025550100
            has done so, reads everything, and costs nothing.
          </p>
          <CodeBlock samples={postSamples(world, '/v1/chat/messages/send', message)} />
        </li>
      </ol>
    </Page>
  )
}

type ResourceProps = { icon: IconName; title: string; text: string }

function Resource({ to, ...words }: ResourceProps & { to: string }) {
  return (
    <Link className="card card-body resource" to={to}>
      <ResourceText {...words} />
    </Link>
  )
}

function ResourceText({ icon, title, text }: ResourceProps) {
  return (
    <>
      <Icon name={icon} size={20} />
      <span className="stack-tight">
        <strong>{title}</strong>
        <span className="muted">{text}</span>
      </span>
    </>
  )
}
