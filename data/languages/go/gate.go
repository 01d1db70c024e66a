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

static inline void set_shuffle(struct sb_request *request, uintptr_t shuffle)
{
	sb_set_shuffle(request, call, (void *)shuffle);
}
*/
import "C"

import (
	"fmt"
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
func AssertFair(t testing.TB, n int, maxBias float64, shuffle func(deck []uint16)) {
	t.Helper()
	handle := cgo.NewHandle(shuffle)
	defer handle.Delete()
	request := C.sb_request_new(text("gate"))
	defer C.sb_request_free(request)
	C.set_shuffle(request, C.uintptr_t(handle))
	for name, value := range map[string]string{"n": fmt.Sprint(n), "max-bias": fmt.Sprint(maxBias)} {
		if C.sb_set(request, text(name), text(value)) != C.SB_OK {
			t.Fatal(C.GoString(C.sb_error(request)))
		}
	}
	result := C.sb_run(request)
	if result == nil {
		t.Fatal(C.GoString(C.sb_error(request)))
	}
	defer C.sb_result_free(result)
	if C.GoString(C.sb_get(result, text("gates.0.verdict"))) != "pass" {
		t.Error(C.GoString(C.sb_get(result, text("gates.0.sentence"))))
	}
}

// A text for C, which is never freed: a test makes a few.
func text(s string) *C.char {
	return C.CString(s)
}
