import { configDefaults, defineConfig } from 'vitest/config'
import { bundled } from './bundled.ts'

const root = new URL('..', import.meta.url).pathname

// Threads and processes that tests start find each module without its types and compiled: half of what a thread costs.
process.env.NODE_COMPILE_CACHE ??= `${root}node_modules/.cache/compiled`

const dist = bundled()
if (dist !== null) process.env.MILLRACE_DIST = dist

/**
 * The threads of what is tested are those of the bundle. Vitest keeps what it has transformed, and the bundle has another
 * folder with each change of the sources: so the place is looked up as it runs.
 */
const ownPlace =
  "(process.env.MILLRACE_DIST === undefined ? import.meta.url : 'file://' + process.env.MILLRACE_DIST + '/src/core/own-module.js')"
const bundledThreads = {
  name: 'bundled-threads',
  transform(code: string, id: string) {
    if (!id.endsWith('/src/core/own-module.ts')) return null
    return { code: code.replaceAll('import.meta.url', ownPlace), map: null }
  },
}

const inFolders = (...folders: readonly string[]) => folders.map(folder => `test/${folder}/**/*.test.ts`)

/**
 * Model servers against the policies, begun before all others. Nothing but arithmetic in small functions, which Node
 * imports itself: what Vitest has transformed calls each of another module through a getter, which costs a third more.
 */
const models = ['test/limit/*-scenarios.test.ts']
/** Begun first, so that none of them is left alone at the end; each is seconds of work for a core. */
const long = [
  'test/module/killed-process.test.ts',
  'test/parse/{modules,pool,batch}.test.ts',
  'test/resume/*.test.ts',
  'test/cli/{run,output}.test.ts',
]

/**
 * They measure memory, listen to their process or make much garbage, so that others would disturb them or be disturbed.
 * A file that puts a module in another's place (`vi.mock`) belongs here too.
 */
const sensitive = [
  'test/decode/content-coding.test.ts',
  'test/extract/{retention,stream-engine}.test.ts',
  'test/fetch/{body,connections,fuzz}.test.ts',
  'test/job/seed-files.test.ts',
  'test/stage/stage.test.ts',
]

/**
 * A process for each file costs as much as most of these do, and they leave nothing behind in theirs. The simulated clock
 * stands still while its process waits for a file or a socket, so what opens some may not come before what simulates.
 */
const pure = inFolders(
  ...['analyse', 'conformance', 'cookies', 'core', 'decode', 'extract', 'gate', 'job', 'limit', 'observe', 'pace'],
  ...['robots', 'scope', 'stage', 'warc'],
)
/**
 * The rim, each file in a moment: sockets, files and stores of their own, no simulated clock, and nothing of the process
 * changed.
 */
const rim = [
  ...inFolders('fetch', 'frontier', 'sink'),
  'test/{architecture,readme}.test.ts',
  'test/{bench/{ordered-items,row-verdict},cli/{proxies,report,summary,terminal},demo/catalogue,library/plan-job,module/module}.test.ts',
  'test/cache/{cache,store}.test.ts',
  'test/parse/{bombs,parser}.test.ts',
  'test/replay/{record-file,recorder}.test.ts',
  'test/report/run-report.test.ts',
  'test/run/{job-fetcher,out-folder,webhook}.test.ts',
]

/** Crawls on the simulated clock, and small parts of the rest: for most of them loading the crawl is what they cost. */
const simulated = [
  'test/crawl/{add-links,asked-to-wait,backlog,bound-kept,bounds,crawl-rules,dead-host,explain,fields,live-hosts}.test.ts',
  'test/crawl/{outage,page-budget,robots-asked-to-wait,settle-faulted,sitemaps,slow-parser,stall-watch}.test.ts',
  'test/crawl/{system,tail,twenty-hosts,unbegun,waits,wall-clock,withdrawn}.test.ts',
  'test/proxy/{all-down,blame,crawl,geo-function,health,pool,proxy-line,region,rotations,without-a-way}.test.ts',
  'test/parse/{cores,parse-marks,queue-limit,readings,room,sent-request,watch}.test.ts',
  'test/{cache/freshness,demo/expected,library/events}.test.ts',
  'test/{replay/latency,replay/replay-fetcher,run/page-window,run/thread-advice,sink/committer}.test.ts',
  'test/frontier/{at-hand,frontier,frontier-model,lanes,syncing}.test.ts',
  'test/sim/{clock,hosts,random}.test.ts',
]

const project = (name: string, include: readonly string[], exclude: readonly string[], isolate = true) => ({
  extends: true as const,
  test: { name, include: [...include], exclude: [...configDefaults.exclude, ...exclude], isolate },
})

const withoutVite = ({ test, ...rest }: ReturnType<typeof project>) => ({
  ...rest,
  test: { ...test, experimental: { viteModuleRunner: false, nodeLoader: false } },
})

export default defineConfig({
  root,
  plugins: [bundledThreads],
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Two cores, and many tests bring worker threads of their own.
    maxWorkers: 2,
    // Begun in the order of their names. What is in no list has a process of its own.
    projects: [
      withoutVite(project('0 models', models, [])),
      project('1 long', long, []),
      project('2 alone', sensitive, long),
      project('3 others', ['test/**/*.test.ts'], [...models, ...long, ...sensitive, ...rim, ...simulated, ...pure]),
      project('4 rim', rim, [...sensitive, ...simulated], false),
      project('5 simulated', simulated, [], false),
      project('6 pure', pure, [...models, ...long, ...sensitive], false),
    ],
  },
})
