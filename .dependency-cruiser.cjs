/**
 * Which room may know which. ARCHITECTURE.md says why.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two files that need each other are one file. Only types inside api/ may: an agent has tools, a tool is given a run, ' +
        'a run has a session, and a session has an agent. Such types are recursive by nature, and no value goes round.',
      severity: 'error',
      from: { pathNot: '^packages/core/src/api/' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-of-values-in-api',
      comment: 'See no-cycles: in api/ types may be recursive, values may not.',
      severity: 'error',
      from: { path: '^packages/core/src/api/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'conversation-imports-nothing',
      comment: 'The machine is pure: what it knows of the world comes in as an input.',
      severity: 'error',
      from: { path: '^packages/core/src/conversation/' },
      to: { pathNot: '^packages/core/src/conversation/' },
    },
    {
      name: 'api-knows-no-doing',
      comment: 'The words users write may not know how they are carried out, not even by a type.',
      severity: 'error',
      from: { path: '^packages/core/src/api/' },
      to: { path: '^packages/core/src/(runtime|hearing|speaking|models|audio|testing)/|^packages/core/src/index' },
    },
    {
      name: 'audio-knows-samples-only',
      comment: 'Pure functions over samples.',
      severity: 'error',
      from: { path: '^packages/core/src/audio/' },
      to: { path: '^packages/core/src/', pathNot: '^packages/core/src/(audio|api)/' },
    },
    {
      name: 'hearing-and-speaking-know-no-runtime',
      comment: 'The ear and the mouth are used by the runtime, and do not know it nor each other.',
      severity: 'error',
      from: { path: '^packages/core/src/(hearing|speaking)/' },
      to: {
        path: '^packages/core/src/',
        pathNot: ['^packages/core/src/(audio|api|conversation)/', '^packages/core/src/$1/'],
      },
    },
    {
      name: 'models-know-no-runtime',
      comment: 'Fallback and retry are functions over a provider: they need the interface, and nothing of the session.',
      severity: 'error',
      from: { path: '^packages/core/src/models/' },
      to: { path: '^packages/core/src/(runtime|hearing|speaking|testing)/|^packages/core/src/index' },
    },
    {
      name: 'report-only-looks-on',
      comment:
        'Metrics, usage and explanations are read off what came in and what followed. They know nobody who does it.',
      severity: 'error',
      from: { path: '^packages/core/src/(report|context)/' },
      to: {
        path: '^packages/core/src/',
        pathNot: ['^packages/core/src/(api|conversation|context|audio|speaking)/', '^packages/core/src/$1/'],
      },
    },
    {
      name: 'runtime-knows-no-index',
      comment: 'index.ts is the door to the street. Nobody inside goes out to come in.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: '^packages/core/src/testing/' },
      to: { path: '^packages/core/src/index' },
    },
    {
      name: 'nobody-imports-testing',
      comment: 'antiphon/testing stands outside and looks in. Other packages may use it, as any user may.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: '^packages/core/src/testing/' },
      to: { path: '^packages/core/src/testing/' },
    },
    {
      name: 'product-knows-no-tests',
      comment: 'What ships may not lean on what proves it.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: '^packages/[^/]+/(sim|test|bench)/' },
    },
    {
      name: 'public-door-only',
      comment:
        'Outside core there is `antiphon` and `antiphon/testing`. What cannot be done through them is missing there.',
      severity: 'error',
      from: { path: '^(packages/(?!core/)|examples/)' },
      to: { path: '^packages/core/', pathNot: '^packages/core/src/(index|testing/index)[.]ts$' },
    },
    {
      name: 'packages-stand-alone',
      comment: 'A provider or a line knows core and nobody else. Only the command line puts packages together.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/', pathNot: '^packages/cli/' },
      to: { path: '^(packages|examples)/', pathNot: '^packages/($1|core)/' },
    },
    {
      name: 'nobody-imports-examples',
      comment: 'An example is the end of the road. The command line loads one by its path, at run time.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^examples/' },
    },
    {
      name: 'no-undeclared',
      comment: 'What a package imports stands in its package.json.',
      severity: 'error',
      from: { path: '^(packages/[^/]+/src|examples)/', pathNot: '[.]test[.]ts$' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    {
      name: 'no-dev-in-product',
      comment: 'A development tool is not there when the package is installed.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'no-dead-ends',
      comment: 'What is imported is there. onnxruntime-node is optional: it may be missing, and its user copes.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^onnxruntime-node$' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/(bin|dist|out)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'types', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.d.ts', '.json', '.wasm'],
    },
  },
}
