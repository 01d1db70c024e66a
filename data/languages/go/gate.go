// SPDX-License-Identifier: GPL-3.0-or-later

// Package shuffle gates a shuffle in a test. cgo cannot be used in a file of tests, so the gate has a file of its own.
package shuffle

/*
#cgo pkg-config: shufflebias
#include <shufflebias.h>

int goShuffle(void *items, size_t n, uintptr_t shuffle);

static inline int call(void *items, size_t n, size_t size, void *state)
{
	return goShuffle(items, n, (uintptr_t)state);
}

static inline enum sb_status gate(uintptr_t shuffle, size_t n, double exclude, struct sb_error *error, struct sb_gate **found)
{
	struct sb_subject subject = { 0 };
	struct sb_gate_options options;

	subject.shuffle = call;
	subject.state = (void *)shuffle;
	subject.n = n;
	sb_gate_options_init(&options);
	options.exclude = exclude;
	return sb_gate_new(&subject, &options, error, found);
}
*/
import "C"

import (
	"runtime/cgo"
	"testing"
	"unsafe"
)

//export goShuffle
func goShuffle(items unsafe.Pointer, n C.size_t, shuffle C.uintptr_t) C.int {
	cgo.Handle(shuffle).Value().(func([]uint16))(unsafe.Slice((*uint16)(items), int(n)))
	return 0
}

// AssertFair calls the shuffle with the numbers 0 to n-1 until the verdict is known, and fails the test unless it passes.
func AssertFair(t testing.TB, n int, exclude float64, shuffle func(deck []uint16)) {
	t.Helper()
	handle := cgo.NewHandle(shuffle)
	defer handle.Delete()
	var failure C.struct_sb_error
	var found *C.struct_sb_gate
	if C.gate(C.uintptr_t(handle), C.size_t(n), C.double(exclude), &failure, &found) != C.SB_OK {
		t.Fatal(C.GoString(&failure.text[0]))
	}
	defer C.sb_gate_free(found)
	var summary C.struct_sb_gate_summary
	C.sb_gate_summary_get(found, &summary)
	if C.GoString(summary.verdict) != "pass" {
		t.Error(C.GoString(summary.sentence))
	}
}
