// The runner of a script in quickjs. write(stream, text) is the host's: it adds text to standard output (1) or
// standard error (2). The value of this file is a function that takes write and returns the functions that the host
// calls, in this order: begin, then the script, settle, pending jobs, finish, problem.
((write) => {
  // VALUES

  const global = globalThis, evaluate = eval, parse = JSON.parse, quote = JSON.stringify;
  const then = Promise.prototype.then, text = String, apply = Reflect.apply;
  const show = makeWriter(10000);

  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return text(value) + (value.stack ? '\n' + value.stack : '');
    if (typeof value === 'undefined' || typeof value === 'symbol') return text(value);
    return show(value)[0];
  };
  // %s, %d, %i, %f, %j and %o are replaced as in node.
  const format = (values) => {
    if (typeof values[0] === 'string' && values.length > 1 && values[0].includes('%')) {
      let next = 1;
      const replaced = values[0].replace(/%[sdifjoO%]/g, (mark) => {
        if (mark === '%%') return '%';
        if (next >= values.length) return mark;
        const value = values[next++];
        switch (mark) {
          case '%d': case '%f': return text(Number(value));
          case '%i': return text(Math.trunc(Number(value)));
          case '%s': return shown(value);
        }
        return show(value)[0];
      });
      values = [replaced, ...values.slice(next)];
    }
    return values.map(shown).join(' ') + '\n';
  };
  const printer = (stream) => (...values) => { write(stream, format(values)); };
  const out = printer(1), err = printer(2);
  global.console = { log: out, info: out, debug: out, warn: err, error: err, trace: err };

  let request, state = 'pending', value, said = '', stack = '', replies;
  const done = (v) => { state = 'done'; value = v; };
  const failed = (e) => { state = 'failed'; value = e; };
  const follow = (v, ok) => {
    if (v instanceof Promise) apply(then, v, [ok, failed]);
    else ok(v);
  };
  // What a thrown value says, as node prints it.
  const describe = (e) => {
    let said = 'the script threw ' + (e instanceof Error ? 'an error' : typeof e);
    try { said = e instanceof Error ? text(e) : 'uncaught ' + shown(e); } catch { /* its own conversion failed */ }
    let trace = '';
    try { if (e instanceof Error && e.stack) trace = text(e.stack); } catch { /* as above */ }
    return [said, trace];
  };
  const entry = () => {
    const exported = global.module && global.module.exports;
    if (typeof exported === 'function') return exported;
    if (exported && typeof exported.main === 'function') return exported.main;
    return evaluate("typeof main === 'function' ? main : undefined");
  };
  const find = (name) => {
    const exported = global.module && global.module.exports;
    if (exported && typeof exported[name] === 'function') return exported[name];
    return evaluate(`typeof ${name} === 'function' ? ${name} : undefined`);
  };

  return {
    begin(input) {
      request = parse(input);
      global.args = request.arguments;
      global.module = { exports: {} };
      global.exports = global.module.exports;
    },
    // settle gets the promise of the script, whose value is an object with the script's last value. It calls main.
    settle(script) {
      follow(script, ({ value: last }) => {
        try {
          if (request.calls) return follow(answerCalls(request, find), (text) => { replies = text; done(null); });
          const main = entry();
          follow(main ? main(request.arguments) : last, done);
        } catch (e) {
          failed(e);
        }
      });
    },
    // finish returns the reply as JSON.
    finish() {
      if (state === 'pending') said = 'the promise of the result is never settled';
      if (state === 'failed') [said, stack] = describe(value);
      if (said !== '') return quote({ error: said });
      if (replies !== undefined) return replies;
      if (value === undefined) return '{"none":true}';
      const [result, cut] = makeWriter(request.limit)(value);
      return cut ? quote({ result, cut }) : `{"result":${result}}`;
    },
    // problem returns the error of the reply and its stack, as lines; "" if there was none.
    problem() { return said === '' ? '' : said + '\n' + stack; },
  };
})
