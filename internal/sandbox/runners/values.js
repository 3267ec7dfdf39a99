// Writes values as JSON, for quickjs and node. makeWriter(limit) returns a function that takes a value and returns its
// JSON text, which is cut a little after limit characters; the second value says whether it was.
//
// Beyond JSON.stringify: NaN and infinities are texts, BigInt has all its digits, Map is an object or a list of pairs,
// Set and typed arrays are lists, a cycle is "[circular]", and functions, symbols, errors and expressions are texts.
const makeWriter = (() => {
  const quote = JSON.stringify, isArray = Array.isArray, isView = ArrayBuffer.isView, text = String;
  const keys = Object.keys, shared = globalThis.Map;
  const maxDepth = 100;
  class Full extends Error {}

  const special = (value) => {
    switch (typeof value) {
      case 'string': return quote(value);
      case 'boolean': return value ? 'true' : 'false';
      case 'bigint': return text(value);
      case 'number': return Number.isFinite(value) ? text(value) : quote(text(value));
      case 'undefined': return 'null';
      case 'symbol': return quote(text(value));
      case 'function': return quote(`[function ${text(value.name)}]`);
    }
    return value === null ? 'null' : undefined;
  };

  return (limit) => (top) => {
    const parts = [], above = [];
    let size = 0;
    const put = (part) => {
      parts.push(part);
      size += part.length;
      if (size > limit) throw new Full();
    };
    const list = (values, open, close, write) => {
      let first = true;
      put(open);
      for (const value of values) {
        if (!first) put(',');
        first = false;
        write(value);
      }
      put(close);
    };
    const pair = ([key, value]) => { put(quote(text(key)) + ':'); write(value); };
    const object = (value) => {
      if (value instanceof Date) return put(quote(Number.isNaN(value.getTime()) ? text(value) : value.toISOString()));
      if (value instanceof Error || value instanceof RegExp) return put(quote(text(value)));
      if (value instanceof Number || value instanceof String || value instanceof Boolean) return write(value.valueOf());
      if (value instanceof Promise) return put('"[promise]"');
      if (value instanceof ArrayBuffer) return object(new Uint8Array(value));
      if (isArray(value) || value instanceof Set || isView(value) && typeof value.length === 'number') {
        return list(value, '[', ']', write);
      }
      if (value instanceof shared) {
        const pairs = [...value];
        if (pairs.every(([key]) => typeof key === 'string')) return list(pairs, '{', '}', pair);
        return list(pairs, '[', ']', (both) => list(both, '[', ']', write));
      }
      const own = [];
      for (const key of keys(value)) {
        const member = value[key];
        if (member !== undefined) own.push([key, member]);
      }
      list(own, '{', '}', pair);
    };
    const write = (value) => {
      const plain = special(value);
      if (plain !== undefined) return put(plain);
      if (above.includes(value)) return put('"[circular]"');
      if (above.length >= maxDepth) return put('"[too deep]"');
      above.push(value);
      if (typeof value.toJSON === 'function' && !(value instanceof Date)) write(value.toJSON());
      else object(value);
      above.pop();
    };
    try {
      write(top);
    } catch (problem) {
      if (!(problem instanceof Full)) throw problem;
      return [parts.join('').slice(0, limit), true];
    }
    return [parts.join(''), false];
  };
})();

// answerCalls makes the calls of a request one after the other, and returns their replies as JSON. find returns the
// function of a name, or undefined.
const answerCalls = (() => {
  const quote = JSON.stringify, text = String, isArray = Array.isArray;
  const describe = (e) => {
    try {
      return e instanceof Error ? text(e) : 'uncaught ' + makeWriter(1000)(e)[0];
    } catch {
      return 'the program threw ' + typeof e;
    }
  };
  return async (request, find) => {
    const replies = [];
    for (const wanted of request.calls) {
      try {
        const called = find(wanted.call);
        if (typeof called !== 'function') throw new ReferenceError(`the program does not define ${wanted.call}`);
        const value = await (isArray(wanted.args) ? called(...wanted.args) : called(wanted.args ?? {}));
        const [result, cut] = makeWriter(request.limit)(value);
        replies.push(cut ? '{"error":"the result is too long"}' : `{"result":${result}}`);
      } catch (e) {
        replies.push(quote({ error: describe(e) }));
      }
    }
    return `{"replies":[${replies.join(',')}]}`;
  };
})();
